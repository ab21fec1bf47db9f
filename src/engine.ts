import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Every file of the build imports this one first: on an older Node, the command prints one sentence, and imports fail.
const { node: nodeVersion } = process.versions
const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 12)) {
  const message = `bicycle-catalogue needs Node 20.12 or later; this is Node ${nodeVersion}`
  const [, program] = process.argv
  const commandFile = fileURLToPath(new URL('cli.js', import.meta.url))
  const isCommand = program !== undefined && realpathSync(program) === commandFile
  if (!isCommand) throw new Error(message)
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
