import { spawnSync } from 'node:child_process'

/** The flags with which Node loads TypeScript; Node 26 deprecates module.register(), which ts-blank-space calls. */
export const typescript = ['--disable-warning=DEP0205', '--import', 'ts-blank-space/register'] as const

type Output = { write: (text: string) => boolean }

type Command<T> = (args: string[], streams: { stdout: Output, stderr: Output }) => Promise<T>

/** Runs a command in this process, and returns what it resolves to and its output. */
export async function outputOf<T> (command: Command<T>, ...args: string[]) {
  let [stdout, stderr] = ['', '']
  const code = await command(args, {
    stdout: { write: text => !!(stdout += text) },
    stderr: { write: text => !!(stderr += text) }
  })
  return { code, stdout, stderr }
}

/** Runs a TypeScript program of this project in a process of its own. */
export function runScript (file: string, ...args: string[]) {
  // The compilers that some scripts load take twice as long with coverage.
  const env = { ...process.env, _TAPJS_PROCESSINFO_COVERAGE_: '0' }
  const scriptArgs = [...typescript, file, ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, scriptArgs, { encoding: 'utf8', env })
  return { status, stdout, stderr }
}
