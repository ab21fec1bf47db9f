import { existsSync } from 'node:fs'

// Runs before scripts that need the dependencies, whose own error would be a stack of ERR_MODULE_NOT_FOUND.
if (!existsSync('node_modules/ts-blank-space')) {
  console.error('Dependencies are missing: run `npm ci` first.')
  process.exit(1)
}
