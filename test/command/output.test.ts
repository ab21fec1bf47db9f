import { spawnSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { test } from 'tap'
import { failOnSettings, prepareOutput } from '../../src/command/output.ts'
import { SettingsError } from '../../src/settings/flags.ts'
import { command, env } from '../built.ts'

/** Makes the outputs of a process, which are pipes. */
function outputOf (env: NodeJS.ProcessEnv = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const process = Object.assign(new EventEmitter(), { env, stdout, stderr }) as unknown as NodeJS.Process
  return { process, stdout, stderr }
}

const failure = (code: string) => Object.assign(new Error(code), { code })

test('a pipe that closes early is no error; what cannot be written is one line and exit code 2', async t => {
  const { process, stdout, stderr } = outputOf()
  prepareOutput(process)
  stdout.emit('error', failure('EPIPE'))
  process.emit('exit', 0)
  t.equal(process.exitCode, undefined)
  stdout.emit('error', failure('ENOSPC'))
  stderr.emit('error', failure('EIO'))
  process.exitCode = 0
  process.emit('exit', 0)
  t.equal(process.exitCode, 2)
  t.equal(String(stderr.read()), 'cannot write to stdout: ENOSPC\n')
})

const full = '/dev/full'
const skip = existsSync(full) ? false : `there is no ${full}`
const printing = ['--version', '--help', 'help all', 'check', 'check --help', 'check nowhere', 'check --reporter json']

for (const args of printing) {
  test(`${args} > ${full} is exit code 2 and a line on stderr`, { skip }, async t => {
    const stdout = openSync(full, 'w')
    const child = spawnSync(process.execPath, command(...args.split(' ')), { env, stdio: ['ignore', stdout, 'pipe'] })
    closeSync(stdout)
    t.equal(child.status, 2)
    t.match(String(child.stderr), /^cannot write to stdout: ENOSPC: no space left on device, write\n$/)
  })
}

test(`an unknown command 2> ${full} is exit code 2`, { skip }, async t => {
  const stderr = openSync(full, 'w')
  const child = spawnSync(process.execPath, command('unknown'), { env, stdio: ['ignore', 'pipe', stderr] })
  closeSync(stderr)
  t.equal(child.status, 2)
})

test('a pipe has colours only if FORCE_COLOR is set', async t => {
  const plain = outputOf()
  prepareOutput(plain.process)
  t.equal(plain.process.stdout.hasColors, undefined)
  const coloured = outputOf({ FORCE_COLOR: '1' })
  prepareOutput(coloured.process)
  t.type(coloured.process.stdout.hasColors(), 'boolean')
})

test('invalid settings are one line and exit code 2; other errors are thrown', async t => {
  const { process, stderr } = outputOf()
  failOnSettings(process, new SettingsError('--port must be\u0007 …'))
  t.equal(String(stderr.read()), '--port must be\\u{7} …\n')
  t.equal(process.exitCode, 2)
  t.throws(() => failOnSettings(process, new TypeError('x')), TypeError)
})
