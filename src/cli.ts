#!/usr/bin/env node
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { buildApp } from './app.ts'
import { CatalogueFaults } from './catalogue/fault.ts'
import { loadCatalogue } from './catalogue/load.ts'
import { banner, readyLine, tokensOf } from './command/banner.ts'
import { closeOnSignals } from './command/closing.ts'
import { helpText } from './settings/help.ts'
import { ListenError, listen, reachOf } from './command/listening.ts'
import { readableLog } from './command/log-lines.ts'
import { SettingsError, readSettings } from './settings/read.ts'
import { version } from './package.ts'

// Boot, in this order: settings → catalogue (load, validate, link, freeze) → app → listen.
async function start (): Promise<string> {
  const { argv, env, stdout } = process
  const settings = readSettings(argv.slice(2), env, stdout.isTTY)
  if (settings === 'help') return helpText()
  if (settings === 'version') return version

  const catalogue = await loadCatalogue(settings.data)
  const app = await buildApp(catalogue, settings, stdout.isTTY ? readableLog(process.stderr) : process.stderr)
  for (const warning of catalogue.warnings) app.journal.warn(warning)
  closeOnSignals(app, process)
  const port = await listen(app, settings)

  const started = { reach: reachOf(settings.host, port, networkInterfaces()), catalogue, data: resolve(settings.data), tokens: tokensOf(app.tokens, settings) }
  return stdout.isTTY ? banner(started, stdout.hasColors()) : readyLine(started)
}

// A reader that has gone away, as in `bicycle-catalogue --help | head -1`, is no fault of the command.
for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreBrokenPipe)

try {
  process.stdout.write(`${await start()}\n`)
} catch (error) {
  if (error instanceof SettingsError || error instanceof ListenError) process.stderr.write(`${error.message}\n`)
  else if (error instanceof CatalogueFaults) process.stderr.write(`${error.message}\n${count(error.faults)} in the data; the server was not started\n`)
  else throw error
  process.exitCode = 1
}

function count ({ length }: readonly unknown[]): string {
  return length === 1 ? '1 fault' : `${length} faults`
}

function ignoreBrokenPipe (error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
