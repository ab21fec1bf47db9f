#!/usr/bin/env node
import module from 'node:module'
import { WriteStream } from 'node:tty'
import { onSignals, watchParent } from './command/process.ts'
import { type CommandRow, commands, development } from './commands.ts'
import { printable } from './base/text.ts'
import { command as name, version } from './package.ts'
import { exitCodes, SettingsError, suggestion } from './settings/flags.ts'
import { helpText, wrapUsage } from './settings/help.ts'
import { meant, readSettings, requestedText } from './settings/read.ts'
import type { Settings } from './settings/settings.ts'

const { env, stdout, stderr } = process

async function runCommand (args: string[]): Promise<void> {
  const [word = '', ...rest] = args
  if (word === 'help') return runCommand(helpArguments(rest))
  const command = commandNamed(word)
  if (command === undefined) return runServer(args)
  if (command.load === undefined) return runServer(rest, development)
  const { run, usage } = await command.load()
  if (rest.some(isHelpFlag)) {
    stdout.write(`Usage: ${name} ${command.usage}\n\n${wrapUsage(usage, stdout.columns)}\n`)
    return
  }
  const controller = new AbortController()
  if (command.isStoppable) {
    onSignals(process, ['SIGINT', 'SIGTERM', 'SIGHUP'], () => controller.abort(), code => process.exit(code))
  }
  process.exitCode = exitCodes.unusable // for a run that never settles, after which Node would exit with 0
  process.exitCode = await run(rest, { env, stdout, stderr, signal: controller.signal })
}

/** Returns the arguments that `help` stands for: `help check` is `check --help`. */
function helpArguments (rest: string[]): string[] {
  const [topic = 'all'] = rest
  return topic === 'all' ? ['--help', ...rest] : [...rest, '--help']
}

/** Returns a command; undefined for flags. @throws {SettingsError} for an unknown word */
function commandNamed (word: string): CommandRow | undefined {
  if (Object.hasOwn(commands, word)) return commands[word]
  if (!/^[a-z]+$/i.test(word)) return undefined
  const guess = suggestion(word, Object.keys(commands), '') || meant(word)
  throw new SettingsError(`unknown command ${word}${guess} (--help lists the commands)`)
}

const isHelpFlag = (argument: string) => argument === '--help' || argument === '-h'

/** Runs the server, or prints its help or version. */
async function runServer (args: string[], preset?: Partial<Settings>): Promise<void> {
  const printed = requestedText(args)
  if (printed !== undefined) {
    stdout.write(`${printed === 'version' ? version : serverHelp(printed === 'help all', preset)}\n`)
    return
  }
  const read = () => readSettings(args, env, { logRequests: Boolean(stderr.isTTY), ...preset })
  const command = read()
  const { exitWithParent } = command.settings
  if (exitWithParent || env['npm_lifecycle_event'] !== undefined) {
    watchParent(process, exitWithParent, () => process.kill(process.pid, 'SIGTERM'))
  }
  const { serve } = await import('./command/serve.ts')
  await serve(command, process, read)
}

function serverHelp (showsAll: boolean, preset?: Partial<Settings>): string {
  const about = preset && { ...commands.dev, preset }
  return helpText(Object.values(commands), showsAll, stdout.columns, about)
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
