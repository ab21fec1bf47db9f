import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

// Compiles before a start where sources and compiler are; a package is compiled already.
const { resolve } = createRequire(import.meta.url)

if (existsSync('tsconfig.build.json') && hasCompiler()) {
  process.exitCode = spawnSync(process.execPath, [resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json'], { stdio: 'inherit' }).status ?? 1
} else if (!existsSync('dist/src/cli.js')) {
  process.stderr.write('Nothing is built, and the compiler is not installed: run npm ci without --omit=dev, then npm start.\n')
  process.exitCode = 1
}

function hasCompiler () {
  try { return resolve('typescript/bin/tsc') !== '' } catch { return false }
}
