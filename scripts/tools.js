import { execSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'

// Installs what lint and CI use from the lock of tools/, unless it is installed.
const lock = 'tools/package-lock.json'
const installed = 'tools/node_modules/installed-lock.json'
if (!existsSync(installed) || !readFileSync(installed).equals(readFileSync(lock))) {
  execSync('npm ci --prefix tools --ignore-scripts --no-audit --no-fund --silent', { stdio: 'inherit' })
  copyFileSync(lock, installed)
}
