import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { isatty } from 'node:tty'
import { CatalogueFaults } from '../catalogue/fault.ts'
import { secureOf } from '../settings/secure.ts'
import type { Settings } from '../settings/settings.ts'
import { version } from '../package.ts'
import { boot, type Server } from '../start.ts'
import { banner, readyLine, tokensOf, type Ready } from './banner.ts'
import { closeOnSignals } from './closing.ts'
import { askFirst, ListenError, reachOf } from './listening.ts'
import { createLog, jsonLine, readableLine } from './log-lines.ts'
import { ReadyFileError, tellParent, watchParent, writeReadyFile } from './parent.ts'
import { tuneV8 } from './v8.ts'

/** Serves until a signal ends it, and says where; what keeps it from serving is told without a stack where a person can mend it. */
export async function serve (settings: Settings, process: NodeJS.Process, readAnew: () => Settings): Promise<void> {
  const { stdout, stderr } = process
  tuneV8()
  try {
    const { server, catalogue } = await boot(settings, {
      stream: createLog(stderr.isTTY ? readableLine : jsonLine),
      prepare: (app, reload) => {
        closeOnSignals(app, process)
        process.on('SIGHUP', () => {
          if (stdout.isTTY && !isatty(stdout.fd)) process.kill(process.pid, 'SIGTERM') // the terminal has been closed
          else reload()
        })
      },
      readAnew
    })
    const { app, port, metricsUrl: metrics } = server
    const scheme = secureOf(settings) && 'https'
    const reach = reachOf(settings.host, port, networkInterfaces(), scheme)
    const started = { reach, metrics, catalogue, data: resolve(settings.data), tokens: tokensOf(app.tokens, settings) }
    const ready = { url: reach.url, port, metrics, pid: process.pid, version, data: started.data, token: started.tokens?.ready }
    await askFirst(settings.host, port, scheme)
    if (app.connections.drain.isBegun) return // a signal came first
    if (settings.readyFile !== undefined) await writeOrClose(settings.readyFile, ready, server, process)
    if (settings.exitWithParent) watchParent(process, () => process.kill(process.pid, 'SIGTERM'))
    tellParent(ready, process)
    stdout.write(`${stdout.isTTY ? banner(started, stdout.hasColors()) : readyLine(ready, started)}\n`)
  } catch (error) {
    if (!(error instanceof ListenError || error instanceof ReadyFileError || error instanceof CatalogueFaults)) throw error
    stderr.write(`${error.message}\n${error instanceof CatalogueFaults ? summary(error) : ''}`)
    process.exitCode = 1
  }
}

async function writeOrClose (file: string, ready: Ready, server: Server, process: NodeJS.Process): Promise<void> {
  try {
    writeReadyFile(file, ready, process)
  } catch (error) {
    await server.close()
    throw error
  }
}

function summary ({ faults: { length } }: CatalogueFaults): string {
  return `${length === 1 ? '1 fault' : `${length} faults`} in the data; the server was not started\n`
}
