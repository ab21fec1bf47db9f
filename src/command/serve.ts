import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { CatalogueFaults } from '../catalogue/fault.ts'
import type { Settings } from '../settings/settings.ts'
import { boot } from '../start.ts'
import { banner, readyLine, tokensOf } from './banner.ts'
import { closeOnSignals } from './closing.ts'
import { ListenError, reachOf } from './listening.ts'
import { readableLog } from './log-lines.ts'

/** Serves until a signal ends it, and says where; what keeps it from serving is told without a stack where a person can mend it. */
export async function serve (settings: Settings, process: NodeJS.Process): Promise<void> {
  const { stdout, stderr } = process
  try {
    const { server: { app, port }, catalogue } = await boot(settings, {
      stream: stdout.isTTY ? readableLog(stderr) : stderr,
      prepare: app => closeOnSignals(app, process)
    })
    const started = { reach: reachOf(settings.host, port, networkInterfaces()), catalogue, data: resolve(settings.data), tokens: tokensOf(app.tokens, settings) }
    stdout.write(`${stdout.isTTY ? banner(started, stdout.hasColors()) : readyLine(started)}\n`)
  } catch (error) {
    if (!(error instanceof ListenError || error instanceof CatalogueFaults)) throw error
    stderr.write(`${error.message}\n${error instanceof CatalogueFaults ? summary(error) : ''}`)
    process.exitCode = 1
  }
}

function summary ({ faults: { length } }: CatalogueFaults): string {
  return `${length === 1 ? '1 fault' : `${length} faults`} in the data; the server was not started\n`
}
