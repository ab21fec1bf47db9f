import { execSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'

// Installs what only CI uses from the lock of tools/, unless it is installed.
const installed = 'tools/node_modules/.package-lock.json' // which npm writes last
const isCurrent = existsSync(installed) && statSync(installed).mtimeMs > statSync('tools/package-lock.json').mtimeMs
if (!isCurrent) execSync('npm ci --prefix tools --ignore-scripts --no-audit --no-fund --silent', { stdio: 'inherit' })
