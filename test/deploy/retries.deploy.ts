import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { test, type Test } from 'tap'
import { serve, started } from '../helper.ts'
import { folder, without } from './machines.ts'
import { openWebKit } from './webkit.ts'

const run = promisify(execFile)
const path = '/api/v1/saddles/'

/** Sends each request a number of times, one after the other, and returns what its caller sees. */
type Client = (t: Test, targets: (readonly [url: string, times: number])[]) => Promise<string>

const program = (command: string, ...args: string[]): Client => async (_t, targets) =>
  (await run(command, [...args, ...targets.flat().map(String)])).stdout

const script = readFileSync('test/deploy/clients/client.js', 'utf8')

type ArgumentsOf = (profile: string) => string[]

/** Opens a page that sends the requests with a cache mode of `fetch`, and returns what the page sees. */
const browser = (cache: string, command: string, argsOf: ArgumentsOf): Client => async (t, targets) => {
  let tell: (seen: string) => void
  const seen = new Promise<string>(resolve => { tell = resolve })
  const html = `<!doctype html><link rel="icon" href="data:,"><script type="module">
    ${script}
    await fetch('/', { method: 'POST', body: await ask(${JSON.stringify(targets)}, '${cache}') })
  </script>`
  const page = await serve(t, async (request, response) => {
    if (request.method === 'POST') tell((await buffer(request)).toString())
    response.setHeader('content-type', 'text/html').end(html)
  })
  const child = spawn(command, [...argsOf(folder(t)), page], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const text = await seen
  child.kill('SIGKILL')
  await exited
  return text
}

const webkit: Client = async (t, targets) => {
  const { open, run } = await openWebKit(t)
  const page = await serve(t, (_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html>')
  })
  await open(page)
  return await run(`${script.replace('export ', '')}; return ask(${JSON.stringify(targets)}, 'default')`)
}

const chromium: ArgumentsOf = profile =>
  ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`]
const firefox: ArgumentsOf = profile => ['--headless', '--no-remote', '--profile', profile]
const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const node = `${script.replace('export ', '')}
  const args = process.argv.slice(1)
  const targets = args.flatMap((url, index) => index % 2 === 0 ? [[url, Number(args[index + 1])]] : [])
  ask(targets, 'default').then(console.log)`

const cases = (['reset', 'empty', 'truncate', 'malformed'] as const)
  .flatMap(fault => [{ fault, isUsed: false }, { fault, isUsed: true }])

/** How often each client sends a request whose connection is cut, also on new connections. */
const triesOf = (name: string) => name.startsWith('Firefox') ? 10 : name === 'Java' ? 2 : 1

for (const { name, needs, ask } of [
  { name: 'Chromium', needs: ['chromium'], ask: browser('default', chromiumPath, chromium) },
  { name: 'Chromium without its cache', needs: ['chromium'], ask: browser('no-store', chromiumPath, chromium) },
  { name: 'Firefox', needs: ['firefox'], ask: browser('default', 'firefox-esr', firefox) },
  { name: 'Firefox without its cache', needs: ['firefox'], ask: browser('no-store', 'firefox-esr', firefox) },
  { name: 'WebKit', needs: ['webkit', 'xvfb'], ask: webkit },
  { name: 'Go', needs: ['go'], ask: program('go', 'run', 'test/deploy/clients/main.go') },
  { name: 'Java', needs: ['java'], ask: program('java', 'test/deploy/clients/Client.java') },
  { name: 'Node', needs: [], ask: program(process.execPath, '-e', node) }
] as const) {
  const tries = triesOf(name)
  const timesOf = (fault: string) => fault === 'reset' || fault === 'empty' ? tries : 1
  const title = `${name}: a cut with times: ${tries} is one failure, on a new connection and on a used one`
  test(title, { skip: without(...needs) }, async t => {
    const servers = await Promise.all(cases.map(async ({ fault, isUsed }) => {
      const server = await started(t, { simulate: true, watch: true, logLevel: 'silent' })
      server.simulate({ path, fault, times: timesOf(fault) })
      if (isUsed) server.simulate({ path, times: 1 })
      return server
    }))
    const expected = cases.map(({ isUsed }) => [...isUsed ? ['200'] : [], 'failed', '200'])
    const targets = servers.map(({ url }, index) => [url + path, expected[index]!.length] as const)
    const seen = (await ask(t, targets)).trim().split(/\s+/)
    for (const [index, { fault, isUsed }] of cases.entries()) {
      const own = expected[index]!
      const causes = servers[index]!.requests().map(({ simulated }) => simulated)
      const cause = `rule 1: fault=${fault}`
      const ownCauses = own.flatMap(text => text === 'failed' ? Array<string>(timesOf(fault)).fill(cause) : null)
      t.same([seen.splice(0, own.length), causes], [own, ownCauses], `${fault}, ${isUsed ? 'used' : 'new'}`)
    }
  })
}
