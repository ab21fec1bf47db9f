import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import { freePort, kept } from '../../tools/process.ts'
import { reachable } from './machines.ts'

const browserOptions = { binary: '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser', args: ['--automation'] }

/** Opens a WebKit window on its own display, and returns functions that act in it. */
export async function openWebKit (t: Test) {
  const display = kept(spawn('Xvfb', ['-displayfd', '1'], { stdio: ['ignore', 'pipe', 'ignore'] }))
  const [number] = await once(display.stdout, 'data') as [Buffer]
  const port = await freePort()
  const asRoot = { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }
  const env = { ...process.env, ...asRoot, DISPLAY: `:${String(number).trim()}` }
  const driver = kept(spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' }))
  t.teardown(() => { driver.kill(); display.kill() })
  await reachable(port)
  let session = ''
  async function send<T = string> (command: string, body: object): Promise<T> {
    const url = `http://127.0.0.1:${port}/session${session}${command}`
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    const { value } = await response.json() as { value: T }
    if (!response.ok) throw new Error(`${command} ${JSON.stringify(value)}`)
    return value
  }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': browserOptions, timeouts: { implicit: 10_000 } } }
  session = `/${(await send<{ sessionId: string }>('', { capabilities })).sessionId}`
  const actOn = async (selector: string, action: string, body: object) => {
    const [element] = Object.values(await send('/element', { using: 'css selector', value: selector }))
    return await send(`/element/${element}/${action}`, body)
  }
  return {
    open: (url: string) => send('/url', { url }),
    /** Runs the body of a function, and waits for a promise that it returns. */
    run: (script: string) => send('/execute/sync', { script, args: [] }),
    click: (selector: string) => actOn(selector, 'click', {}),
    type: (selector: string, text: string) => actOn(selector, 'value', { text })
  }
}
