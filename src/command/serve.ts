import { X509Certificate } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { isatty } from 'node:tty'
import { CatalogueErrors, errorCount, errorLines, exitCodeOf } from '../catalogue/errors/error.ts'
import { painter, type Paint, printable } from '../base/text.ts'
import { secureOf, type Command, isLoopback } from '../settings/read.ts'
import { version, name } from '../package.ts'
import { boot } from '../start.ts'
import { reachOf, type Reach } from '../http/listening.ts'
import { createLog, readableLine } from './log-lines.ts'
import { closeOnSignals, drainTimes } from './process.ts'
import { curlLine } from '../client/curl.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Tokens } from '../http/authentication.ts'
import { resources } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'

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
    const ready = { url: reach.url, port, metrics, pid: process.pid, version, data: resolve(settings.data), token }
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

/** The message to a parent process, and the line on standard output. */
export type Ready = Record<'url' | 'version' | 'data', string> & Record<'port' | 'pid', number> & {
  metrics?: string | undefined
  /** Issued at the start, unless settings give tokens or a secret. */
  token: string | undefined
}

export type Started = { ready: Ready, reach: Reach, catalogue: Catalogue, settings: Settings, note: string | undefined }

/** Returns a ready-made token, and a note that it is invalid after a restart, unless settings give tokens or a secret. */
export function tokensOf ({ issue, invalidAfterRestart }: Pick<Tokens, 'issue' | 'invalidAfterRestart'>, { tokens, tokensFile }: Settings) {
  if (!invalidAfterRestart || tokens !== undefined || tokensFile !== undefined) return {}
  return { note: 'Issued tokens are invalid after a restart; set --token-secret to keep them valid.', token: issue() }
}

export function banner ({ ready, reach, catalogue, settings, note }: Started, paint: Paint): string {
  const { url, metrics, data, token } = ready
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
  const counts = resources.filter(({ access }) => access === 'public')
    .map(({ key, path }) => `${catalogue[key].length} ${path.split('/').at(-2)}`)
  const curl = (target: string, token?: true) => // few certificates contain 127.0.0.1
    curlLine({ address: url + target, token, insecure: url.startsWith('https:') })
  const lines = [
    `${paint(['bold', 'cyan'], name)} ${paint('dim', version)}`,
    '',
    ...rows.flatMap(([name, text]) => text === undefined ? [] : [label(name) + paint(text.startsWith('http') ? 'cyan' : 'dim', text)]),
    '',
    label('On') + named(true).join(', '),
    label('Off') + named(false).join(', '),
    label('Data') + counts.join(', '),
    `${label('')}${printable(data)}`,
    '',
    curl('/api/v1/bikes/?page=1'),
    ...token === undefined ? [] : ['', `TOKEN=${token}`, curl('/api/v2/bikes/?page=1', true)],
    '',
    ...note === undefined ? [] : [paint('dim', note)],
    paint('dim', 'Press Ctrl+C to stop.')
  ]
  return ['', ...lines.map(line => line && `  ${line}`), ''].join('\n')
}
