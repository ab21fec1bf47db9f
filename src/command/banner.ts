import { curlLine } from '../client/curl.ts'
import { type Paint, printable } from '../base/text.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { name, version } from '../package.ts'
import type { Tokens } from '../http/authentication.ts'
import { resources } from '../lists/resources.ts'
import { developmentTokens, type Settings } from '../settings/settings.ts'
import { developmentTokenOf, isLoopback } from '../settings/read.ts'
import type { Reach } from '../http/listening.ts'

/** The message to a parent process, and the line on standard output. */
export type Ready = Record<'url' | 'version' | 'data', string> & Record<'port' | 'pid', number> & {
  metrics?: string | undefined
  /** Issued at the start, unless settings give tokens or a secret. */
  token: string | undefined
}

export type Started = { ready: Ready, reach: Reach, catalogue: Catalogue, settings: Settings, note: string | undefined }

/** Returns the token of `dev`, or issues one that is invalid after a restart, with a note; none if settings give tokens or a secret. */
export function tokensOf ({ issue, invalidAfterRestart }: Pick<Tokens, 'issue' | 'invalidAfterRestart'>, settings: Settings) {
  const { tokens, tokensFile, upstream } = settings
  const development = developmentTokenOf(settings)
  if (development !== undefined) return { token: development }
  const hasTokens = tokensFile !== undefined || (tokens !== undefined && tokens !== developmentTokens)
  if (hasTokens || upstream !== undefined || !invalidAfterRestart) return {}
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
    label('Data') + (settings.upstream === undefined ? counts.join(', ') : 'the real service at'),
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
