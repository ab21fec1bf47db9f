import { X509Certificate } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { isatty } from 'node:tty'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { CatalogueErrors, errorCount, errorLines, exitCodeOf } from '../catalogue/errors/error.ts'
import { painter, type Paint } from '../base/text.ts'
import { secureOf, type Command } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import { version } from '../package.ts'
import { boot, type Server } from '../start.ts'
import { banner, type Started, tokensOf } from './banner.ts'
import { reachOf } from '../http/listening.ts'
import { createLog, readableLine } from './log-lines.ts'
import { closeOnSignals, drainTimes } from './process.ts'

/** Serves until a signal, and prints the URLs, or the errors of the data. */
export async function serve ({ settings, warnings }: Command, process: NodeJS.Process, readAgain: () => Command): Promise<void> {
  const { stdout, stderr } = process
  const isText = (stream: NodeJS.WriteStream) => settings.logFormat === undefined ? stream.isTTY : settings.logFormat === 'text'
  const paintOf = (stream: NodeJS.WriteStream) => painter(stream.hasColors?.() ?? false)
  const format = (line: string) => readableLine(line, paintOf(stderr))
  try {
    const { server, catalogue } = await boot(settings, {
      stream: createLog(isText(stderr) ? { format } : {}),
      prepare: (app, reload) => {
        closeOnSignals(app, process)
        for (const warning of warnings) app.logger.warn(warning)
        process.on('SIGHUP', () => {
          const isTerminalClosed = stdout.isTTY && !isatty(stdout.fd)
          if (isTerminalClosed) process.kill(process.pid, 'SIGTERM')
          else reload()
        })
      },
      readAgain: () => readAgain().settings,
      drainTimes
    })
    if (server.app.drain.isBegun) return // a signal arrived during the start
    const started = startedOf(server, settings, catalogue)
    const { ready, reach, note } = started
    if (process.connected) process.send?.({ event: 'listening', ...ready }, undefined, {}, () => {})
    if (!isText(stdout)) {
      stdout.write(`${JSON.stringify({ event: 'listening', ...ready, note })}\n`)
      return
    }
    stdout.write(`${banner(started, paintOf(stdout))}\n`)
    const [address] = reach.lan
    if (settings.simulate && address !== undefined && stdout.isTTY) stdout.write(await qrCode(`${address}/`, paintOf(stdout)))
  } catch (error) {
    if (!(error instanceof CatalogueErrors)) throw error
    stderr.write(`${errorLines(error.errors, stderr).join('\n')}\n${errorCount(error.errors)}; the server was not started\n`)
    process.exitCode = exitCodeOf(error.errors, settings.data, settings.overlay)
  }
}

function startedOf ({ app, port, metricsUrl: metrics }: Server, settings: Settings, catalogue: Catalogue): Started {
  const secure = secureOf(settings)
  const certificate = secure && new X509Certificate(secure.cert)
  const reach = reachOf(settings.host, port, networkInterfaces(), certificate)
  const { note, token } = tokensOf(app.tokens, settings)
  const data = settings.upstream ?? resolve(settings.data)
  const ready = { url: reach.url, port, metrics, pid: process.pid, version, data, token }
  return { ready, reach, catalogue, settings, note }
}

/** Returns a QR code for phones, in colours that are readable in a light terminal too. */
async function qrCode (url: string, paint: Paint): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  return renderUnicodeCompact(url, { border: 2 }).split('\n').map(line => `  ${paint(['whiteBright', 'bgBlack'], line)}\n`).join('')
}
