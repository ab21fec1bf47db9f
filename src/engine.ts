import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Every file of the build imports this one first: an older Node ends the command with one sentence, and an import with an error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 12)) {
  const message = `bicycle-catalogue needs Node 20.12 or later; this is Node ${process.versions.node}`
  const [, program] = process.argv
  const isCommand = program !== undefined && realpathSync(program) === fileURLToPath(new URL('cli.js', import.meta.url))
  if (!isCommand) throw new Error(message)
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
