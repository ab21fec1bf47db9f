import { type ChildProcessWithoutNullStreams, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { Ready } from '../src/command/ready.ts'
import { runScript } from './run-script.ts'

const folder = resolve(`.tap/built/${process.pid}`)

/**
 * Returns the directory of the built package, whose command starts in a third of the time that the sources take. `npm
 * test` builds it for all processes and names it in BUILT; a test file that runs alone builds its own.
 */
export function built (): string {
  const { BUILT: given } = process.env
  if (given !== undefined) return given
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { status, stdout, stderr } = runScript('scripts/build.ts', folder)
  const hasOutput = stdout + stderr !== ''
  if (status !== 0 || hasOutput) throw new Error(`The build ended with ${status} and printed ${stdout}${stderr}`)
  process.env['BUILT'] = folder
  return folder
}

/** Only the path of this environment; bundled code has no coverage. */
export const env = { PATH: process.env['PATH'], _TAPJS_PROCESSINFO_COVERAGE_: '0' }

/** The arguments of Node that start the built command. */
export const command = (...args: string[]) => [join(built(), 'cli.js'), ...args]

/** Starts the built command, and kills it at the end of the test; its streams are pipes without the option `stdio`. */
export function run (t: Test, args: string[], options: SpawnOptions = {}) {
  const child = spawn(process.execPath, command(...args), { env, ...options }) as ChildProcessWithoutNullStreams
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

/** Waits until a server listens. */
export async function readyOf (child: ReturnType<typeof run>): Promise<Ready> {
  const [line] = await once(child.stdout, 'data')
  return JSON.parse(String(line)) as Ready
}

/** Waits until the command ends. */
export async function endOf (child: ReturnType<typeof run>) {
  const [[code], stdout, stderr] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}
