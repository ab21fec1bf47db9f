import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { memoryUsage } from 'node:process'
import { isatty } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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

/** Serves until a signal ends it, and says where; what keeps it from serving is told without a stack where a person can mend it. */
export async function serve (settings: Settings, process: NodeJS.Process, readAnew: () => Settings): Promise<void> {
  const { stdout, stderr } = process
  // Threads that help to collect garbage take more CPU time than they save: up to 6 µs a request, a tenth of a start with 100,000 bikes.
  setFlagsFromString('--no-parallel-scavenge')
  try {
    const { server, catalogue } = await boot(settings, {
      stream: createLog(stdout.isTTY ? readableLine : jsonLine),
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
    collectGarbage()
    if (settings.readyFile !== undefined) await writeOrClose(settings.readyFile, ready, server)
    if (settings.exitWithParent) watchParent(process, () => process.kill(process.pid, 'SIGTERM'))
    tellParent(ready, process)
    stdout.write(`${stdout.isTTY ? banner(started, stdout.hasColors()) : readyLine(ready, started)}\n`)
  } catch (error) {
    if (!(error instanceof ListenError || error instanceof ReadyFileError || error instanceof CatalogueFaults)) throw error
    stderr.write(`${error.message}\n${error instanceof CatalogueFaults ? summary(error) : ''}`)
    process.exitCode = 1
  }
}

/** What a heap holds at most for all of it to be collected at once, in bytes: 10 ms. */
const smallHeap = 64 * 2 ** 20

/** Collects what a start leaves behind, which would otherwise hold up one of the first answers for 2 to 10 ms. */
function collectGarbage (): void {
  if (memoryUsage().heapUsed > smallHeap) return
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
}

async function writeOrClose (file: string, ready: Ready, server: Server): Promise<void> {
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
