#!/usr/bin/env node
import module from 'node:module'
import { WriteStream } from 'node:tty'
import { onSignals, watchParent } from './command/process.ts'
import { type CommandRow, commands, development } from './commands.ts'
import { printable } from './base/text.ts'
import { command as name, version } from './package.ts'
import { exitCodes, SettingsError, suggestion } from './settings/flags.ts'
import { helpText, wrapUsage } from './settings/help.ts'
import { meant, readSettings, type Command } from './settings/read.ts'
import type { Settings } from './settings/settings.ts'

const { env, stdout, stderr } = process

async function runCommand (args: string[]): Promise<void> {
  const [word = '', ...rest] = args
  if (word === 'help') return runCommand(rest.length === 0 || rest[0] === 'all' ? ['--help', ...rest] : [...rest, '--help'])
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (command === undefined && /^[a-z]+$/i.test(word)) {
    const guess = suggestion(word, Object.keys(commands), '') || meant(word)
    throw new SettingsError(`unknown command ${word}${guess} (--help lists the commands)`)
  }
  if (command === undefined) return runServer(args)
  if (command.load === undefined) return runServer(rest, development)
  const { run, usage } = await command.load()
  const controller = new AbortController()
  const isHelp = rest.some(argument => argument === '--help' || argument === '-h')
  if (command.isStoppable) {
    onSignals(process, ['SIGINT', 'SIGTERM', 'SIGHUP'], () => controller.abort(), code => process.exit(code))
  }
  if (isHelp) {
    stdout.write(`Usage: ${name} ${command.usage}\n\n${wrapUsage(usage, stdout.columns)}\n`)
    return
  }
  process.exitCode = exitCodes.unusable // of a run that ends without a result, where Node would exit with 0
  const code = await run(rest, { env, stdout, stderr, signal: controller.signal })
  if (code !== undefined || process.exitCode === exitCodes.unusable) process.exitCode = code ?? exitCodes.done
}

/** Runs the server, or prints its help or version. */
async function runServer (args: string[], preset?: Partial<Settings>): Promise<void> {
  const read = () => readSettings(args, env, { logRequests: Boolean(stderr.isTTY), ...preset })
  const command = read()
  if (typeof command === 'string') {
    const about = preset && { ...commands['dev'] as CommandRow, preset }
    const help = () => helpText(Object.values(commands), command === 'help all', stdout.columns, about)
    stdout.write(`${command === 'version' ? version : help()}\n`)
    return
  }
  const { exitWithParent } = command.settings
  if (exitWithParent || env['npm_lifecycle_event'] !== undefined) {
    watchParent(process, exitWithParent, () => process.kill(process.pid, 'SIGTERM'))
  }
  const { serve } = await import('./command/serve.ts')
  await serve(command, process, () => read() as Command)
}

// Node 22 and later cache compiled code.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.()

// `bicycle-catalogue --help | head -1` closes the pipe early, which is no error; a full disk does not stop the server.
for (const stream of [stdout, stderr]) {
  // A pipe has no colours of its own; FORCE_COLOR and NO_COLOR are read as for a terminal.
  if (env['FORCE_COLOR'] !== undefined) stream.hasColors ??= () => WriteStream.prototype.getColorDepth.call(stream) > 1
  stream.on('error', ({ code }: NodeJS.ErrnoException) => { if (code !== 'EPIPE') process.exitCode = 1 })
}

runCommand(process.argv.slice(2)).catch((error: Error) => {
  if (!(error instanceof SettingsError)) throw error
  stderr.write(`${printable(error.message)}\n`)
  process.exitCode = exitCodes.unusable
})
