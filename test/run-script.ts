import { spawnSync } from 'node:child_process'

// tsx maps a whole file to one line, from which coverage would be told wrong.
const env = { ...process.env, _TAPJS_PROCESSINFO_COVERAGE_: '0' }

/** Runs a TypeScript program of this project in a process of its own. */
export function runScript (file: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', file, ...args], { encoding: 'utf8', env })
  return { status, stdout, stderr }
}
