import { PassThrough } from 'node:stream'
import { test } from 'tap'
import { failOnSettings, prepareOutput } from '../../src/command/output.ts'
import { SettingsError } from '../../src/settings/flags.ts'

/** Makes the outputs of a process, which are pipes. */
function outputOf (env: NodeJS.ProcessEnv = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const process = { env, stdout, stderr } as unknown as NodeJS.Process
  return { process, stdout, stderr }
}

const failure = (code: string) => Object.assign(new Error(code), { code })

test('a pipe that closes early is no error; a full disk is one, and ends nothing', async t => {
  const { process, stdout, stderr } = outputOf()
  prepareOutput(process)
  stdout.emit('error', failure('EPIPE'))
  t.equal(process.exitCode, undefined)
  stderr.emit('error', failure('ENOSPC'))
  t.equal(process.exitCode, 1)
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
