import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { test, type Test } from 'tap'
import { parse } from 'yaml'
import { freePort, start } from '../../tools/process.ts'
import { partsOf } from '../documents.ts'
import { bareClone, folder, without } from './machines.ts'

const run = promisify(execFile)
const env = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  BICYCLE_CATALOGUE: `${process.execPath} ${resolve('dist/cli.js')}`,
  CHROMIUM: process.env['CHROMIUM'] ?? '/usr/bin/chromium'
}

/** Runs a program and returns its output, whether it fails or not. */
async function outputOf (cwd: string, command: readonly string[]): Promise<string> {
  const [program = '', ...args] = command
  const { stdout } = await run(program, args, { cwd, env }).catch((error: { stdout: string }) => error)
  return stdout
}

/** A first test that fails, whose client breaks a rule of the contract, and which leaves a rule behind. */
const failing = {
  pytest: `import urllib.request

def test_that_fails(catalogue):
    urllib.request.urlopen(catalogue.url + "/api/v1/bikes/?unknown=1")
    catalogue.simulate(path="/api/*", code=503)
    assert False
`,
  go: `package catalogue

import (
  "net/http"
  "testing"
)

func TestThatFails(t *testing.T) {
  http.Get(server.URL + "/api/v1/bikes/?unknown=1")
  simulate(t, \`{"path": "/api/*", "code": 503}\`)
  t.Fatal("on purpose")
}
`
} as const

test('examples/pytest', { skip: without('pytest') }, async t => {
  const cwd = folder(t)
  cpSync('examples/pytest', cwd, { recursive: true })
  const command = ['pytest-3', '-q', '-p', 'no:cacheprovider']
  t.match(await outputOf(cwd, command), /^2 passed/m)
  writeFileSync(join(cwd, 'test_a_failure.py'), failing.pytest)
  t.match(await outputOf(cwd, command), /^1 failed, 2 passed, 1 error/m, 'a test fails alone')
  const withInvalidRule = 'def test_invalid(catalogue):\n    catalogue.simulate(path="/api/v1/bike/")\n'
  writeFileSync(join(cwd, 'test_a_failure.py'), withInvalidRule)
  const invalid = await outputOf(cwd, command)
  t.match(invalid, /AssertionError: POST \/__simulate: 400 \{"path":/, 'the body says what is wrong with a rule')
})

test('examples/go_test', { skip: without('go') }, async t => {
  const cwd = folder(t)
  cpSync('examples/go_test', cwd, { recursive: true })
  const command = ['go', 'test', '-count=1', '-v', './...']
  t.match(await outputOf(cwd, command), /^ok\b/m)
  writeFileSync(join(cwd, 'a_failure_test.go'), failing.go)
  const output = await outputOf(cwd, command)
  const results = output.match(/^--- \w+: \w+/gm)
  t.same(results, ['--- FAIL: TestThatFails', '--- PASS: TestClientTriesAgain'], 'a test fails alone')
})

/** Copies an example to a directory below the project, for its packages, and links the package into node_modules. */
function projectOf (t: Test, example: string): string {
  const cwd = resolve(`.tap/example-${process.pid}-${example}`)
  t.teardown(() => rmSync(cwd, { recursive: true, force: true }))
  mkdirSync(join(cwd, 'node_modules'), { recursive: true })
  symlinkSync(resolve('.'), join(cwd, 'node_modules/bicycle-catalogue'))
  cpSync(join('examples', example), example.includes('.') ? join(cwd, example) : cwd, { recursive: true })
  return cwd
}

for (const { example, file, passed, skip } of [
  { example: 'node.test.mjs', file: 'node.test.mjs', passed: 3, skip: false },
  { example: 'playwright', file: 'bikes.test.mjs', passed: 4, skip: without('chromium') }
] as const) {
  test(`examples/${example}`, { skip }, async t => {
    const cwd = projectOf(t, example)
    const command = [process.execPath, '--test', '--test-reporter=tap', file]
    t.match(await outputOf(cwd, command), new RegExp(`^# pass ${passed}\\n# fail 0$`, 'm'))
    await run(process.execPath, [resolve('test/package/failing.mjs'), file, 'server.url'], { cwd })
    t.match(await outputOf(cwd, command), new RegExp(`^# pass ${passed}\\n# fail 1$`, 'm'), 'a test fails alone')
  })
}

type Step = { uses?: string, run?: string, env?: Record<string, string>, with?: Record<string, string> }
type Workflow = { jobs: { test: { steps: Step[] } } }
type Action = { inputs: Record<string, { default: string }>, runs: { steps: [Required<Step>] } }

const place = '.github/actions/serve'

/** Runs a step of a job as a runner does; its expressions have values. Returns its outputs and what it printed. */
async function runStep (t: Test, cwd: string, step: Step, values: Readonly<Record<string, string>>) {
  const { run: script = '', env: own = {} } = step
  const [job, output] = [`job-${process.pid}`, join(folder(t), 'output')]
  const valueOf = (text: string) => text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => String(values[name]))
  const stepEnv = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, valueOf(text)]))
  const jobEnv = { GITHUB_OUTPUT: output, GITHUB_ACTION_PATH: values['path'], RUNNER_TRACKING_ID: job, ...stepEnv }
  writeFileSync(output, '')
  t.teardown(() => endJob(job))
  const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script]
  const how = { cwd, env: { PATH: env.PATH, HOME: env.HOME, ...jobEnv } }
  const ended = run('bash', shell, how).then(({ stdout }) => ({ stdout, code: 0 }))
  const { stdout, code } = await ended.catch((error: { stdout: string, code: number }) => error)
  const [, url = ''] = /^url=(.*)$/m.exec(readFileSync(output, 'utf8')) ?? []
  return { url, stdout, code }
}

/** Runs the step of the action in a package. */
async function runAction (t: Test, cwd: string, package_: string, given: Step['with'] = {}) {
  const { inputs, runs } = parse(readFileSync(join(package_, place, 'action.yml'), 'utf8')) as Action
  const values = Object.entries(inputs).map(([name, input]) => [`inputs.${name}`, given[name] ?? input.default])
  return runStep(t, cwd, runs.steps[0], { path: join(package_, place), ...Object.fromEntries(values) })
}

/** Ends the processes of a job that still run, as a runner does; returns their number. */
function endJob (job: string): number {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name)).filter(pid => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`RUNNER_TRACKING_ID=${job}\0`)
    } catch {
      return false // it has ended
    }
  })
  for (const pid of pids) process.kill(Number(pid), 'SIGKILL')
  return pids.length
}

test('examples/github-actions.yml, with the action that it uses', async t => {
  const cwd = projectOf(t, 'github-actions.yml')
  const { jobs } = parse(readFileSync('examples/github-actions.yml', 'utf8')) as Workflow
  const [action = {}, request = {}] = jobs.test.steps.slice(-2)
  t.equal(action.uses, `./node_modules/bicycle-catalogue/${place}`)
  const { url } = await runAction(t, cwd, join(cwd, 'node_modules/bicycle-catalogue'), action.with)
  const { stdout, code } = await runStep(t, cwd, request, { 'steps.catalogue.outputs.url': url })
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { length: 48 })
  const failing = await fetch(`${url}/api/v1/bikes/`, { headers: { prefer: 'code=503' } })
  t.equal(failing.status, 503)
  t.equal(failing.headers.get('x-ratelimit-limit'), null)
  t.equal(endJob(`job-${process.pid}`), 1, 'the server ends with the job')
})

test('the action serves data on a port, says why it cannot, and builds the package of a repository', async t => {
  const cwd = folder(t)
  cpSync('data', join(cwd, 'own data'), { recursive: true })
  const clone = bareClone(t)
  const port = await freePort()
  const served = await runAction(t, cwd, clone, { port: String(port), data: 'own data' })
  t.equal(served.url, `http://localhost:${port}`)
  t.match(await (await fetch(`${served.url}/readyz`)).json(), { status: 'ok' })
  const failed = await runAction(t, cwd, clone, { data: 'missing' })
  t.match(failed, { code: 1, url: '', stdout: /missing/ })
})

/** Returns a snippet of docs/guides/test.md that has a text. */
const snippetOf = (text: string) => partsOf('docs/guides/test.md').find(part => part.text.includes(text))?.text ?? ''

/** Returns the arguments of a server in the image, whose entry point is the command. */
const inImage = (command: readonly string[]) => [resolve('dist/cli.js'), ...command, '--port', '0']

/** A rule that asks for a version of the image, which a user builds. */
const untagged = 'service-image-require-explicit-tag'

test('the Compose project of docs/guides/test.md', async t => {
  const cwd = folder(t)
  const snippet = snippetOf('services:')
  writeFileSync(join(cwd, 'compose.yaml'), snippet)
  const lint = [resolve('tools/node_modules/.bin/dclint'), '--quiet', '--disable-rule', untagged, 'compose.yaml']
  t.equal(await outputOf(cwd, lint), '')
  const { services } = parse(snippet) as { services: Record<'catalogue' | 'tests', { command: string[] }> }
  const server = await start(inImage(services.catalogue.command))
  t.teardown(() => server.stop())
  const request = services.tests.command.map(argument => argument.replace('http://catalogue:3000', server.url))
  t.match(JSON.parse(await outputOf(cwd, ['curl', ...request])), { length: 48 })
})

/** Runs the server in place of the image, with the interface of Testcontainers. */
const testcontainers = `import { spawn } from 'node:child_process'
import { once } from 'node:events'

export class GenericContainer {
  constructor (image) { if (image !== 'bicycle-catalogue') throw new Error(image) }
  withCommand (command) { this.command = command; return this }
  withExposedPorts (port) { if (port !== 3000) throw new Error(port); return this }
  withWaitStrategy (path) { this.path = path; return this }
  async start () {
    const child = spawn(process.execPath, [${JSON.stringify(resolve('dist/cli.js'))}, ...this.command, '--port', '0'])
    const url = new URL(JSON.parse(String((await once(child.stdout, 'data'))[0])).url)
    if ((await fetch(new URL(this.path, url))).status !== 200) throw new Error(this.path)
    return { getHost: () => url.hostname, getMappedPort: () => url.port, stop: async () => { child.kill() } }
  }
}
export const Wait = { forHttp: path => path }
`

test('the program with Testcontainers of docs/guides/test.md', async t => {
  const cwd = folder(t)
  const module = join(cwd, 'node_modules/testcontainers')
  mkdirSync(module, { recursive: true })
  writeFileSync(join(module, 'package.json'), '{ "type": "module", "exports": "./index.js" }')
  writeFileSync(join(module, 'index.js'), testcontainers)
  writeFileSync(join(cwd, 'catalogue.mjs'), snippetOf('testcontainers'))
  await t.resolves(run(process.execPath, ['catalogue.mjs'], { cwd, timeout: 60_000, env }))
})
