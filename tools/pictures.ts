import { spawn, spawnSync } from 'node:child_process'
import { chromium } from 'playwright-core'
import { html } from 'ghtml'

// Makes .github/simulate.png and terminal.png, which the README and the documents show. Needs Linux, Chromium and pngquant.
const url = 'http://localhost:3000'
const command = 'stty cols 100; exec node --import ts-blank-space/register src/cli.ts dev'
const dev = spawn('script', ['-qefc', command, '/dev/null'], { env: { ...process.env, FORCE_COLOR: '1' } })
let terminal = ''
const isUp = new Promise<void>(resolve => dev.stdout.on('data', part => { if ((terminal += part).includes('Ctrl+C')) resolve() }))
await isUp

const add = (rule: object) =>
  fetch(`${url}/__simulate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(rule) })
await add({ path: '/api/v1/bikes/', code: 503, times: 2 })
await add({ path: '/api/v1/saddles/', fault: 'reset', times: 1 })
for (const target of ['wheels/', 'bikes/?page=1', 'bikes/?page=1', 'saddles/', 'bikes/?page=1', 'bikes/?page=99']) {
  await fetch(`${url}/api/v1/${target}`).then(response => response.text(), () => {})
}
await add({ path: '/api/v1/*', fault: 'drip', when: { 'x-test': 'checkout' } })
await add({ path: '/api/v1/bikes/', example: 'odd', times: 1 })

const spans = (code: string) => ['22', '39', '49'].includes(code) ? '</span>' : `<span class="c${code}">`
const text = html`${terminal.replaceAll('\r', '').replace(`${process.cwd()}/`, '').trim()}`.replace(new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`, 'g'), (_, code: string) => spans(code))
const style = 'body{width:max-content;margin:0;padding:20px;background:#14181d;color:#e6eaef}pre{margin:0;font:15px/1.45 "DejaVu Sans Mono"}' +
  '.c1{font-weight:700}.c2{opacity:.65}.c31{color:#ff9d94}.c32{color:#8fd694}.c33{color:#f2c27e}.c36{color:#84dccf}'
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1200, height: 1240 }, reducedMotion: 'reduce' })
await page.goto(`${url}/__simulate`)
await page.screenshot({ path: '.github/simulate.png' })
const blank = await browser.newPage({ viewport: { width: 1000, height: 100 } }) // without the policy of the other page
await blank.setContent(`<style>${style}</style><pre>${text}</pre>`)
await blank.locator('body').screenshot({ path: '.github/terminal.png' })
await browser.close()
dev.kill()
spawnSync('pngquant', ['--force', '--ext', '.png', '64', '.github/simulate.png', '.github/terminal.png'], { stdio: 'inherit' })
