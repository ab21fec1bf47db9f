import { failOnSettings, prepareOutput } from './command/output.ts'
import { onSignals } from './command/signals.ts'
import { type CommandRow, commands } from './commands.ts'
import { command as name, version } from './package.ts'
import { suggestion } from './base/nearest.ts'
import { exitCodes, SettingsError } from './settings/flags.ts'
import { helpText, wrapUsage } from './settings/help.ts'
import { meant, requestedText } from './settings/read.ts'
import { development } from './settings/settings.ts'

const { env, stdout, stderr } = process

/** Runs a command that does not serve, or prints the help. */
export function main (args: string[]): void {
  prepareOutput(process)
  runCommand(args).catch((error: Error) => failOnSettings(process, error))
}

async function runCommand (args: string[]): Promise<void> {
  const [word = '', ...rest] = args
  if (word === 'help') {
    const [topic = 'all'] = rest
    return runCommand(topic === 'all' ? ['--help', ...rest] : [...rest, '--help'])
  }
  const command = commandNamed(word)
  if (command?.load === undefined) return printServerHelp(args)
  const { run, usage } = await command.load()
  if (rest.includes('--help') || rest.includes('-h')) {
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

/** Returns a command; undefined for flags. @throws {SettingsError} for an unknown word */
function commandNamed (word: string): CommandRow | undefined {
  if (Object.hasOwn(commands, word)) return commands[word]
  if (!/^[a-z]+$/i.test(word)) return undefined
  const guess = suggestion(word, Object.keys(commands), '') || meant(word)
  throw new SettingsError(`unknown command ${word}${guess} (--help lists the commands)`)
}

/** Prints the help or version of the server, or runs it if its arguments only look like a request for them. */
async function printServerHelp (args: string[]): Promise<void> {
  const isDev = args[0] === 'dev'
  const printed = requestedText(isDev ? args.slice(1) : args)
  if (printed === undefined) {
    const { serve } = await import('./command/serve.ts')
    return serve(args)
  }
  const about = isDev ? { ...commands.dev, preset: development } : undefined
  const help = () => helpText(Object.values(commands), printed === 'help all', stdout.columns, about)
  stdout.write(`${printed === 'version' ? version : help()}\n`)
}
