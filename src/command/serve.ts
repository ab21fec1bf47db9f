import { X509Certificate } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { isatty } from 'node:tty'
import type { Paint } from '../base/text.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { CatalogueErrors, errorCount } from '../catalogue/errors/error.ts'
import { reachOf } from '../http/listening.ts'
import { version } from '../package.ts'
import { readSettings, secureOf } from '../settings/read.ts'
import { development, type Settings } from '../settings/settings.ts'
import { boot, type Server } from '../start.ts'
import { createLog, type LogOptions } from './log.ts'
import { errorLines, exitCodeOf, failOnSettings, painterOf, prepareOutput } from './output.ts'
import { tokensOf, type Started } from './ready.ts'
import { closeOnSignals, drainTimes } from './signals.ts'

/** Serves until a signal, and prints the URLs, or the errors of the arguments or the data. */
export function serve (args: string[]): void {
  prepareOutput(process)
  const [word, ...rest] = args
  const started = word === 'dev' ? startServer(rest, development) : startServer(args)
  started.catch((error: Error) => failOnSettings(process, error))
}

async function startServer (args: string[], preset?: Partial<Settings>): Promise<void> {
  const { env, stdout, stderr } = process
  const read = () => readSettings(args, env, { logRequests: Boolean(stderr.isTTY), ...preset })
  const { settings, warnings } = read()
  const { exitWithParent } = settings
  if (exitWithParent || env['npm_lifecycle_event'] !== undefined) {
    const { watchParent } = await import('./parent.ts')
    watchParent(process, exitWithParent, () => process.kill(process.pid, 'SIGTERM'))
  }
  const log: LogOptions = {}
  if (isText(stderr, settings)) {
    const { readableLine } = await import('./log-lines.ts')
    const paint = painterOf(stderr)
    log.format = line => readableLine(line, paint)
  }
  try {
    const { server, catalogue } = await boot(settings, {
      stream: createLog(log),
      prepare: (app, reload) => {
        closeOnSignals(app, process)
        for (const warning of warnings) app.logger.warn(warning)
        process.on('SIGHUP', () => {
          const isTerminalClosed = stdout.isTTY && !isatty(stdout.fd)
          if (isTerminalClosed) process.kill(process.pid, 'SIGTERM')
          else reload()
        })
      },
      readAgain: () => read().settings,
      drainTimes
    })
    if (server.app.drain.isBegun) return // a signal arrived during the start
    const started = startedOf(server, settings, catalogue)
    if (process.connected) process.send?.({ event: 'listening', ...started.ready }, undefined, {}, () => {})
    stdout.write(await startText(started, stdout))
  } catch (error) {
    if (!(error instanceof CatalogueErrors)) throw error
    const lines = [...errorLines(error.errors, stderr), `${errorCount(error.errors)}; the server was not started`]
    stderr.write(`${lines.join('\n')}\n`)
    process.exitCode = exitCodeOf(error.errors, settings.data, settings.overlay)
  }
}

function isText ({ isTTY }: NodeJS.WriteStream, { logFormat }: Settings): boolean {
  return logFormat === undefined ? isTTY : logFormat === 'text'
}

/** Returns a line of JSON for programs, or the banner for people, with a QR code for phones that try the simulation. */
async function startText (started: Started, stdout: NodeJS.WriteStream): Promise<string> {
  const { ready, reach, settings, note } = started
  if (!isText(stdout, settings)) return `${JSON.stringify({ event: 'listening', ...ready, note })}\n`
  const { banner } = await import('./banner.ts')
  const paint = painterOf(stdout)
  const text = `${banner(started, paint)}\n`
  const [address] = reach.lan
  const isForPhones = settings.simulate && address !== undefined && stdout.isTTY
  return isForPhones ? text + await qrCode(`${address}/`, paint) : text
}

function startedOf (server: Server, settings: Settings, catalogue: Catalogue): Started {
  const { app, port, metricsUrl: metrics } = server
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
  const rows = renderUnicodeCompact(url, { border: 2 }).split('\n')
  let text = ''
  for (const row of rows) text += `  ${paint(['whiteBright', 'bgBlack'], row)}\n`
  return text
}
