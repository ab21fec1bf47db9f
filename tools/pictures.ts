import { spawn, spawnSync } from 'node:child_process'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { html } from 'ghtml'
import { writeFiles } from '../scripts/write.ts'
import { freePort } from './process.ts'

// Makes .github/simulate.png and terminal.png, which the README and the documents show, and .github/pictures.json with
// their texts; --check only compares the texts with the program's output. Needs Linux, Chromium, and pngquant for the
// pictures.
const isCheck = process.argv.includes('--check')
const port = isCheck ? await freePort() : 3000 // of the pictures
const url = `http://localhost:${port}`

const command = `stty cols 100; exec node --import ts-blank-space/register src/cli.ts dev --port ${port}`
const dev = spawn('script', ['-qefc', command, '/dev/null'], { env: { ...process.env, FORCE_COLOR: '1' } })
let terminal = ''
dev.stdout.on('data', part => { terminal += part })

/** Waits until the terminal shows a text. */
async function shown (text: string): Promise<void> {
  while (!terminal.includes(text)) await sleep(20)
}

async function addRule (rule: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/__simulate`, { method: 'POST', headers, body: JSON.stringify(rule) })
  await response.text()
}

/** Requests a URL on a connection of its own, because a rule that cuts connections closes idle ones. */
async function request (target: string): Promise<void> {
  await new Promise<void>(resolve => {
    get(target, { agent: false }, response => response.resume().once('end', resolve)).once('error', () => resolve())
  })
}

await shown('Ctrl+C')
await addRule({ path: '/api/v1/bikes/', code: 503, times: 2 })
await addRule({ path: '/api/v1/saddles/', fault: 'reset', times: 1 })
for (const target of ['wheels/', 'bikes/?page=1', 'bikes/?page=1', 'saddles/', 'bikes/?page=1', 'bikes/?page=99']) {
  await request(`${url}/api/v1/${target}`)
}
await shown('page=99')
// Before the page is loaded, whose own requests are logged too.
const printed = terminal.replaceAll('\r', '').replace(`${process.cwd()}/`, '').trim()
await addRule({ path: '/api/v1/*', fault: 'drip', when: { 'x-test': 'checkout' } })
await addRule({ path: '/api/v1/bikes/', example: 'odd', times: 1 })

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1200, height: 1240 }, reducedMotion: 'reduce' })
await page.goto(`${url}/__simulate`)

const escape = String.fromCharCode(27)
const colours = new RegExp(`${escape}\\[(\\d+)m`, 'g')

/** Returns a text without what differs from run to run: times, tokens, digests and the port. */
function stable (text: string): string[] {
  return text.replace(colours, '')
    .replaceAll(`:${port}`, ':3000')
    .replace(/\b\d{1,2}:\d\d:\d\d\b/g, '12:00:00')
    .replace(/\b\d+(?:\.\d+)? (ms|s|seconds?|minutes?)\b/g, '1 $1')
    .replace(/bct_[\w-]+/g, 'bct_token')
    .replace(/\b[0-9a-f]{12}\b/g, 'digest')
    .split('\n').map(line => line.replace(/\s+/g, ' ').trim()).filter(line => line !== '')
}

/** Returns the text of a terminal as HTML. */
function inColour (text: string): string {
  const ends = ['22', '39', '49']
  return html`${text}`.replace(colours, (_, code: string) => {
    return ends.includes(code) ? '</span>' : `<span class="c${code}">`
  })
}

async function makePictures (): Promise<void> {
  const style = 'body{width:max-content;margin:0;padding:20px;background:#14181d;color:#e6eaef}' +
    'pre{margin:0;font:15px/1.45 "DejaVu Sans Mono"}' +
    '.c1{font-weight:700}.c2{opacity:.65}.c31{color:#ff9d94}.c32{color:#8fd694}.c33{color:#f2c27e}.c36{color:#84dccf}'
  await page.screenshot({ path: '.github/simulate.png' })
  // Without the policy of the other page.
  const blank = await browser.newPage({ viewport: { width: 1000, height: 100 } })
  await blank.setContent(`<style>${style}</style><pre>${inColour(printed)}</pre>`)
  await blank.locator('body').screenshot({ path: '.github/terminal.png' })
  const files = ['.github/simulate.png', '.github/terminal.png']
  spawnSync('pngquant', ['--force', '--ext', '.png', '64', ...files], { stdio: 'inherit' })
}

const texts = { simulate: stable(await page.locator('body').innerText()), terminal: stable(printed) }
if (!isCheck) await makePictures()
await browser.close()
dev.kill()
const json = `${JSON.stringify(texts, undefined, 2)}\n`
writeFiles(new Map([['.github/pictures.json', json]]), 'node --import ts-blank-space/register tools/pictures.ts')
