import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'tap'
import { folder, without } from './machines.ts'

const run = promisify(execFile)
const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], BICYCLE_CATALOGUE: `${process.execPath} ${resolve('dist/cli.js')}` }

for (const { name, needs, command, output } of [
  { name: 'pytest', needs: 'pytest', command: ['pytest-3', '-q', '-p', 'no:cacheprovider'], output: /^2 passed/m },
  { name: 'go_test', needs: 'go', command: ['go', 'test', '-count=1', './...'], output: /^ok\b/m }
] as const) {
  test(`examples/${name}`, { skip: without(needs) }, async t => {
    const cwd = folder(t)
    cpSync(join('examples', name), cwd, { recursive: true })
    const [program, ...args] = command
    t.match((await run(program, args, { cwd, env })).stdout, output)
  })
}

test('examples/playwright', { skip: without('chromium') }, async t => {
  const cwd = resolve(`.tap/example-${process.pid}`) // below the project, where playwright-core is found
  t.teardown(() => rmSync(cwd, { recursive: true, force: true }))
  mkdirSync(join(cwd, 'node_modules'), { recursive: true })
  symlinkSync(resolve('.'), join(cwd, 'node_modules/bicycle-catalogue'))
  cpSync('examples/playwright', cwd, { recursive: true })
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'bikes.test.mjs'], { cwd, env: { ...env, CHROMIUM: process.env['CHROMIUM'] ?? '/usr/bin/chromium' } })
  t.match(stdout, /^# pass 4\n# fail 0$/m)
})
