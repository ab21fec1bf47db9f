#!/usr/bin/env node
import module from 'node:module'
import { watchParent } from './command/parent.ts'
import { printable } from './http/text.ts'
import { command as name, version } from './package.ts'
import { SettingsError, suggestion } from './settings/flags.ts'
import { type CommandHelp, helpText, wrapUsage } from './settings/help.ts'
import { readSettings, type Command } from './settings/read.ts'
import type { Settings } from './settings/settings.ts'

/** Runs with the arguments after its name, and returns the exit code unless that is 0; `readUsage` returns what its `--help` explains. */
type CommandRow = CommandHelp & { run: (args: string[]) => Promise<number | void>, readUsage?: () => Promise<string> }

const streams = { stdout: process.stdout, stderr: process.stderr }

const development: Partial<Settings> = { simulate: true, watch: true, logRequests: true, rateLimit: false }

/** The commands, by their first argument; each loads its own modules. */
const commands: Readonly<Record<string, CommandRow>> = {
  dev: {
    usage: 'dev [SETTINGS]', help: 'serves for app development: --simulate --watch --log-requests --rate-limit off',
    run: args => serve(args, development)
  },
  init: {
    usage: 'init DIR', help: 'copies the data into a directory, to be edited',
    readUsage: async () => (await import('./command/init.ts')).usage,
    run: async args => (await import('./command/init.ts')).init(args, process)
  },
  check: {
    usage: 'check [DIR] [FLAGS]', help: 'checks a data directory without serving it',
    readUsage: async () => (await import('./command/check.ts')).usage,
    run: async args => (await import('./command/check.ts')).check(args, process)
  },
  verify: {
    usage: 'verify URL [FLAGS]', help: 'checks any server against the contract',
    readUsage: async () => (await import('./verify/command.ts')).usage,
    run: async args => (await import('./verify/command.ts')).verify(args, { ...streams, signal: abortAt('SIGINT') })
  },
  pull: {
    usage: 'pull URL DIR [FLAGS]', help: 'saves the lists of a real service as a data directory',
    readUsage: async () => (await import('./pull/command.ts')).usage,
    run: async args => (await import('./pull/command.ts')).pull(args, { ...streams, signal: abortAt('SIGINT', 'SIGTERM', 'SIGHUP') })
  },
  generate: {
    usage: 'generate DIR [FLAGS]', help: 'writes data with any number of bikes',
    readUsage: async () => (await import('./generate/command.ts')).usage,
    run: async args => (await import('./generate/command.ts')).generate(args, process)
  },
  healthcheck: {
    usage: 'healthcheck [URL]', help: 'exits with 0 when the server at URL is ready, otherwise with 1',
    readUsage: async () => (await import('./command/healthcheck.ts')).usage,
    run: async args => (await import('./command/healthcheck.ts')).healthcheck(args, process)
  }
}

/** Returns a signal that aborts when the process receives one of these. */
function abortAt (...signals: NodeJS.Signals[]): AbortSignal {
  const controller = new AbortController()
  for (const signal of signals) process.once(signal, () => controller.abort())
  return controller.signal
}

async function run (args: string[]): Promise<void> {
  const [word = '', ...rest] = args
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (command === undefined && /^[a-z]+$/i.test(word)) {
    throw new SettingsError(`unknown command ${word}${suggestion(word, Object.keys(commands), '')} (--help lists the commands)`)
  }
  if (command?.readUsage !== undefined && rest.some(argument => argument === '--help' || argument === '-h')) {
    process.stdout.write(`Usage: ${name} ${command.usage}\n\n${wrapUsage(await command.readUsage(), process.stdout.columns)}\n`)
    return
  }
  const code = await (command === undefined ? serve(args) : command.run(rest))
  if (code !== undefined) process.exitCode = code
}

async function serve (args: string[], preset?: Partial<Settings>): Promise<void> {
  const { env, stdout, stderr } = process
  const read = () => readSettings(args, env, stderr.isTTY, preset)
  const command = read()
  if (typeof command === 'object') {
    if (command.settings.exitWithParent) watchParent(process, () => process.kill(process.pid, 'SIGTERM'))
    await (await import('./command/serve.ts')).serve(command, process, () => read() as Command)
  } else stdout.write(`${command === 'version' ? version : help(command === 'help all')}\n`)

  function help (showsAll: boolean): string {
    return helpText(Object.values(commands), showsAll, stdout.columns, preset && { ...commands['dev'] as CommandRow, preset })
  }
}

// Node 22 and later cache compiled code.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.()

// `bicycle-catalogue --help | head -1` closes the pipe early, which is no error; a full disk does not end the server.
for (const stream of Object.values(streams)) {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => { if (code !== 'EPIPE') process.exitCode = 1 })
}

run(process.argv.slice(2)).catch((error: Error) => {
  if (!(error instanceof SettingsError)) throw error
  process.stderr.write(`${printable(error.message)}\n`)
  process.exitCode = 1
})
