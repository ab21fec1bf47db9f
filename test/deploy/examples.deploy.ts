import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { test, type Test } from 'tap'
import { folder, without } from './machines.ts'

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
