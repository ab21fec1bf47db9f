import { X509Certificate } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { isatty } from 'node:tty'
import type { FastifyInstance } from 'fastify'
import { hang, textWidth, wrap, wrapCommand } from '../base/terminal.ts'
import { type Paint, painter, printable } from '../base/text.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { CatalogueErrors, errorCount } from '../catalogue/errors/error.ts'
import { errorLines } from '../catalogue/errors/lines.ts'
import { curlLine } from '../client/curl.ts'
import type { Tokens } from '../http/authentication.ts'
import { resources } from '../lists/resources.ts'
import { name, version } from '../package.ts'
import { isLoopback, secureOf, type Command } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import { boot } from '../start.ts'
import { type Reach, reachOf } from './listening.ts'
import { createLog, readableLine } from './log-lines.ts'
import { closeOnSignals, drainTimes, type Ready, writeReadyFile } from './process.ts'

/** Serves until a signal, and prints the URLs, or the errors of the data. */
export async function serve (command: Command, process: NodeJS.Process, readAgain: () => Command): Promise<void> {
  const { stdout, stderr } = process
  const local = command.settings.tls ? await import('./certificate.ts') : undefined
  const certificate = await local?.localCertificate(process.env, command.settings.host)
  const settings = { ...command.settings, ...certificate?.settings }
  try {
    const { server, catalogue } = await boot(settings, {
      stream: createLog(stderr.isTTY ? { format: line => readableLine(line, painter(stderr.hasColors()), stderr.columns || 80) } : {}),
      prepare: (app, reload) => {
        closeOnSignals(app, process)
        for (const warning of command.warnings) app.logger.warn(warning)
        if (certificate !== undefined) addCa(app, certificate.ca)
        process.on('SIGHUP', () => {
          if (stdout.isTTY && !isatty(stdout.fd)) process.kill(process.pid, 'SIGTERM') // the terminal was closed
          else reload()
        })
      },
      readAgain: () => ({ ...readAgain().settings, ...certificate?.settings }),
      sources: command.sources,
      drainTimes
    })
    const { app, port, metricsUrl: metrics } = server
    const secure = secureOf(settings)
    const reach = reachOf(settings.host, port, networkInterfaces(), secure && new X509Certificate(secure.cert))
    const { note, token } = tokensOf(app.tokens, settings)
    const ready = { url: reach.url, port, metrics, pid: process.pid, version, data: resolve(settings.data), token, ca: certificate?.caFile }
    if (app.drain.isBegun) return // a signal arrived during the start
    try {
      if (settings.readyFile !== undefined) writeReadyFile(settings.readyFile, ready, process)
    } catch (error) {
      await server.close()
      throw error
    }
    if (process.connected) process.send?.({ event: 'listening', ...ready }, undefined, {}, () => {})
    if (stdout.isTTY) {
      const paint = painter(stdout.hasColors())
      stdout.write(`${banner({ ready, reach, catalogue, settings, note }, paint, stdout.columns)}\n`)
      if (local && certificate) stdout.write(await local.trustText(reach, certificate.caFile, paint, stdout.columns))
    } else stdout.write(`${JSON.stringify({ event: 'listening', ...ready, note })}\n`)
  } catch (error) {
    if (!(error instanceof CatalogueErrors)) throw error
    stderr.write(`${errorLines(error.errors, stderr).join('\n')}\n${errorCount(error.errors)} in the data; the server was not started\n`)
    process.exitCode = 1
  }
}

/** Lets phones download the CA. */
function addCa (app: FastifyInstance, ca: string): void {
  app.route({ method: ['GET', 'HEAD'], url: '/ca.crt', handler: (_, reply) => reply.type('application/x-x509-ca-cert').send(ca) })
}

export type Started = { ready: Ready, reach: Reach, catalogue: Catalogue, settings: Settings, note: string | undefined }

/** Returns a ready-made token, and a note that it is invalid after a restart, unless settings give tokens or a secret. */
export function tokensOf ({ issue, invalidAfterRestart }: Pick<Tokens, 'issue' | 'invalidAfterRestart'>, { tokens, tokensFile }: Settings) {
  if (!invalidAfterRestart || tokens !== undefined || tokensFile !== undefined) return {}
  return { note: 'Issued tokens are invalid after a restart; set --token-secret to keep them valid.', token: issue() }
}

/** Returns the banner for a terminal of so many columns. */
export function banner ({ ready, reach, catalogue, settings, note }: Started, paint: Paint, columns = 80): string {
  const width = textWidth(columns) - 2
  const { url, metrics, data, token, ca } = ready
  const rows: [label: string, text: string | undefined][] = [
    ['Local', `${url}/`],
    ['Network', isLoopback(settings.host) ? 'start with --host 0.0.0.0' : undefined],
    ...reach.lan.map(url => ['Network', `${url}/`] as [string, string]),
    ['Emulator', reach.emulator && `${reach.emulator}/`],
    ['Simulation', settings.simulate ? `${url}/__simulate` : undefined],
    ['Reference', `${url}/docs/`],
    ['Metrics', metrics]
  ]
  const switches = {
    simulation: settings.simulate, 'reload on change': settings.watch, 'request log': settings.logRequests,
    'rate limit': settings.rateLimit, compression: settings.compress
  }
  const named = (isOn: boolean) => Object.entries(switches).flatMap(([name, value]) => value === isOn ? name : [])
  const label = (text: string) => paint('dim', text.padEnd(12))
  const list = (text: string, items: string[]) => hang(label(text), items.join(', ').split(/(?<=,) /), width)
  const counts = resources.filter(({ access }) => access === 'public')
    .map(({ key, path }) => `${catalogue[key].length} ${path.split('/').at(-2)}`)
  const curl = (target: string, token?: true) => // few certificates contain 127.0.0.1
    wrapCommand(curlLine({ address: url + target, token, ca, insecure: url.startsWith('https:') }), width)
  const lines = [
    `${paint(['bold', 'cyan'], name)} ${paint('dim', version)}`,
    '',
    ...rows.flatMap(([name, text]) => text === undefined ? [] : [label(name) + paint(text.startsWith('http') ? 'cyan' : 'dim', text)]),
    '',
    ...list('On', named(true)),
    ...list('Off', named(false)),
    ...list('Data', counts),
    `${label('')}${printable(data)}`,
    '',
    ...curl('/api/v1/bikes/?page=1'),
    ...token === undefined ? [] : ['', `TOKEN=${token}`, ...curl('/api/v2/bikes/?page=1', true)],
    '',
    ...note === undefined ? [] : wrap(note.split(' '), width).map(line => paint('dim', line)),
    paint('dim', 'Press Ctrl+C to stop.')
  ]
  return ['', ...lines.map(line => line && `  ${line}`), ''].join('\n')
}
