import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { kept } from '../tools/process.ts'
import { commands, partsOf } from './documents.ts'

type How = {
  cwd: string
  env: NodeJS.ProcessEnv
  /** The URL that stands for the real service. */
  service: string
  /** The place of the commands to run; others are left out. */
  place: (typeof commands)[number]['place']
}

/** Has every server print a line of JSON when it listens; `dev` would print text. */
const inJson = (env: NodeJS.ProcessEnv) => ({ ...env, BICYCLE_CATALOGUE_LOG_FORMAT: 'json' })

/**
 * Runs the commands of a document in order, as they are printed, and writes its files. A server runs until the next
 * one starts.
 */
export async function runDocument (t: Test, page: string, { cwd, env, service, place }: How): Promise<string[]> {
  const ownCommands = commands.filter(command => command.page === page && command.place === place)
  const own = new Set(ownCommands.map(({ line }) => line))
  const outputs: string[] = []
  let url = service
  let last = ''
  let stop = (): Promise<unknown> => Promise.resolve()
  for (const { kind, text, path = '' } of partsOf(page)) {
    if (kind === 'file') {
      mkdirSync(dirname(join(cwd, path)), { recursive: true })
      writeFileSync(join(cwd, path), text)
    }
    if (kind !== 'command' || !own.has(text)) continue
    const isRequest = /^curl (?!.*>|-o )/.test(text)
    const line = text.replaceAll('https://bikes.example.org', service).replaceAll('http://localhost:3000', url)
      .replace(/^curl (?!.*>|-o )/, "curl -sS --output /dev/null --write-out '%{http_code}' ")
      .replace(/^\S+ (?:pull|verify|diff) .*/, '$& --rate 1000')
      .replace(/^\S+ verify .*/, '$& --max-requests 60') // other tests send all
      .replace('--bikes 5000', '--bikes 50')
      .replace(/^bicycle-catalogue\b/, 'exec $&') // signals reach the server
    const shell = ['-c', line.replace(/ &$/, '')]
    const child = kept(spawn('sh', shell, { cwd, env: inJson(env), stdio: ['ignore', 'pipe', 'pipe'] }))
    let [printed, wrong] = ['', '']
    child.stderr.on('data', chunk => { wrong += String(chunk) })
    const exited = once(child, 'close')
    const listening = new Promise<string>(resolve => child.stdout.on('data', chunk => {
      printed += String(chunk)
      const [, address] = /^\{"event":"listening","url":"([^"]+)"/.exec(printed) ?? []
      if (address !== undefined) resolve(address)
    }))
    const served = line.endsWith(' &') ? url : await Promise.race([listening, exited.then(() => undefined)])
    if (served === undefined) {
      t.equal(child.exitCode, 0, `${text}\n${wrong}`)
      const isFailure = /code=503/.test(text) || (last.includes('"code":503') && !text.includes(' -d '))
      if (isRequest) t.match(printed, isFailure ? '503' : /^20[0-4]$/, text)
      outputs.push(printed)
    } else {
      await stop()
      url = served
      stop = async () => {
        child.kill('SIGTERM')
        t.equal((await exited)[0], 0, text)
      }
    }
    last = text
  }
  await stop()
  return outputs
}
