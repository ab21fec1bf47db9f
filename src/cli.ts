#!/usr/bin/env node
import { traceSources } from './command/traces.ts'
import { version } from './package.ts'
import { helpText } from './settings/help.ts'
import { readSettings } from './settings/read.ts'
import type { Settings } from './settings/settings.ts'

/** What the command does when its first word is one of these; each is loaded only then, and gives the exit code. */
const commands: Readonly<Record<string, (args: string[], process: NodeJS.Process) => Promise<number>>> = {
  verify: async (args, process) => {
    const { verify } = await import('./verify/command.ts')
    const controller = new AbortController()
    process.once('SIGINT', () => controller.abort())
    return verify(args, { stdout: process.stdout, stderr: process.stderr, signal: controller.signal })
  },
  init: async (args, process) => (await import('./command/init.ts')).init(args, process),
  healthcheck: async (args, process) => (await import('./command/healthcheck.ts')).healthcheck(args, process)
}

/** Does what the arguments ask for. What it takes to serve is loaded only then, so that --version and --help answer at once. */
async function run ({ argv, env, stdout, stderr }: NodeJS.Process): Promise<void> {
  const [, , word = '', ...args] = argv
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (command !== undefined) {
    process.exitCode = await command(args, process)
    return
  }
  const read = () => readSettings(argv.slice(2), env, stderr.isTTY)
  const settings = read()
  if (settings === 'help') stdout.write(`${helpText()}\n`)
  else if (settings === 'version') stdout.write(`${version}\n`)
  else await (await import('./command/serve.ts')).serve(settings, process, () => read() as Settings)
}

// A reader that has gone away, as in `bicycle-catalogue --help | head -1`, is no fault of the command; a full disk does not end the server.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => { if (code !== 'EPIPE') process.exitCode = 1 })
}

traceSources()

// By its name, because what serves is a bundle with a class of its own.
run(process).catch((error: Error) => {
  if (error.name !== 'SettingsError') throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
