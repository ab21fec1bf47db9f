import { X509Certificate } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { isatty } from 'node:tty'
import { CatalogueErrors, errorCount, errorLines, exitCodeOf } from '../catalogue/errors/error.ts'
import { painter, type Paint } from '../base/text.ts'
import { secureOf, type Command } from '../settings/read.ts'
import { version } from '../package.ts'
import { boot } from '../start.ts'
import { banner, tokensOf } from './banner.ts'
import { reachOf } from '../http/listening.ts'
import { createLog, readableLine } from './log-lines.ts'
import { closeOnSignals, drainTimes } from './process.ts'

/** Serves until a signal, and prints the URLs, or the errors of the data. */
export async function serve ({ settings, warnings }: Command, process: NodeJS.Process, readAgain: () => Command): Promise<void> {
  const { stdout, stderr } = process
  try {
    const { server, catalogue } = await boot(settings, {
      stream: createLog(stderr.isTTY ? { format: line => readableLine(line, painter(stderr.hasColors())) } : {}),
      prepare: (app, reload) => {
        closeOnSignals(app, process)
        for (const warning of warnings) app.logger.warn(warning)
        process.on('SIGHUP', () => {
          if (stdout.isTTY && !isatty(stdout.fd)) process.kill(process.pid, 'SIGTERM') // the terminal was closed
          else reload()
        })
      },
      readAgain: () => readAgain().settings,
      drainTimes
    })
    const { app, port, metricsUrl: metrics } = server
    const secure = secureOf(settings)
    const reach = reachOf(settings.host, port, networkInterfaces(), secure && new X509Certificate(secure.cert))
    const { note, token } = tokensOf(app.tokens, settings)
    const ready = { url: reach.url, port, metrics, pid: process.pid, version, data: settings.upstream ?? resolve(settings.data), token }
    if (app.drain.isBegun) return // a signal arrived during the start
    if (process.connected) process.send?.({ event: 'listening', ...ready }, undefined, {}, () => {})
    if (stdout.isTTY) {
      const paint = painter(stdout.hasColors())
      stdout.write(`${banner({ ready, reach, catalogue, settings, note }, paint)}\n`)
      if (settings.simulate && reach.lan[0] !== undefined) stdout.write(await qrCode(`${reach.lan[0]}/`, paint))
    } else stdout.write(`${JSON.stringify({ event: 'listening', ...ready, note })}\n`)
  } catch (error) {
    if (!(error instanceof CatalogueErrors)) throw error
    stderr.write(`${errorLines(error.errors, stderr).join('\n')}\n${errorCount(error.errors)}; the server was not started\n`)
    process.exitCode = exitCodeOf(error.errors, settings.data, settings.overlay)
  }
}

/** Returns a QR code for phones, in colours that are readable in a light terminal too. */
async function qrCode (url: string, paint: Paint): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  return renderUnicodeCompact(url, { border: 2 }).split('\n').map(line => `  ${paint(['whiteBright', 'bgBlack'], line)}\n`).join('')
}
