import { curlLine } from '../client/curl.ts'
import { type Paint, printable } from '../base/text.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { name, version } from '../package.ts'
import type { Tokens } from '../http/tokens.ts'
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

export type Started = {
  ready: Ready
  reach: Reach
  catalogue: Catalogue
  settings: Settings
  note?: string | undefined
}

type Issuer = Pick<Tokens, 'issue' | 'invalidAfterRestart'>
type ReadyToken = { token?: string, note?: string }

/** Returns the token of `dev`, or issues one, with a note on restarts; none if settings give tokens or a secret. */
export function tokensOf ({ issue, invalidAfterRestart }: Issuer, settings: Settings): ReadyToken {
  const { tokens, tokensFile, upstream } = settings
  const development = developmentTokenOf(settings)
  if (development !== undefined) return { token: development }
  const isConfigured = tokensFile !== undefined || upstream !== undefined
  const hasTokens = tokens !== undefined && tokens !== developmentTokens
  if (isConfigured || hasTokens || !invalidAfterRestart) return {}
  const note = 'Restarting the server invalidates issued tokens. Start with --token-secret to keep them valid.'
  return { note, token: issue() }
}

/** Returns the text for a person when the server is ready: its URLs, its settings in short, and commands to try. */
export function banner (started: Started, paint: Paint): string {
  const { ready: { token, data }, settings, note } = started
  const label = (text: string) => paint('dim', text.padEnd(12))
  const lines = [`${paint(['bold', 'cyan'], name)} ${paint('dim', version)}`, '']
  for (const [name, text] of placesOf(started)) {
    const colour = text.startsWith('http') ? 'cyan' : 'dim'
    lines.push(label(name) + paint(colour, text))
  }
  lines.push('', label('On') + switchesOf(settings, true))
  lines.push(label('Off') + switchesOf(settings, false))
  lines.push(label('Data') + dataLine(started), label('') + printable(data))
  lines.push('', curlExample(started, '/api/v1/bikes/?page=1'))
  if (token !== undefined) {
    const example = curlExample(started, '/api/v2/bikes/?page=1', true)
    lines.push('', `TOKEN=${token}`, example)
  }
  lines.push('')
  if (note !== undefined) lines.push(paint('dim', note))
  lines.push(paint('dim', 'Press Ctrl+C to stop.'))
  return ['', ...lines.map(line => line && `  ${line}`), ''].join('\n')
}

type Place = [label: string, text: string]

/** Returns the URLs of the server with their labels, and why it has none for other machines. */
function placesOf ({ ready, reach, settings }: Started): Place[] {
  const { url, metrics } = ready
  const places: Place[] = [['Local', `${url}/`]]
  for (const address of reach.lan) places.push(['Network', `${address}/`])
  if (isLoopback(settings.host)) places.push(['Network', 'start with --host 0.0.0.0'])
  const isEverywhere = ['0.0.0.0', '::'].includes(settings.host)
  const isUnnamed = url.startsWith('https:') && reach.lan.length === 0
  if (isEverywhere && isUnnamed) {
    places.push(['Network', 'the certificate contains no address of this machine on its networks'])
  }
  if (reach.emulator !== undefined) places.push(['Emulator', `${reach.emulator}/`])
  if (settings.simulate) places.push(['Simulation', `${url}/__simulate`])
  places.push(['Reference', `${url}/docs/`])
  if (metrics !== undefined) places.push(['Metrics', metrics])
  return places
}

const shownSwitches = [
  ['simulation', 'simulate'],
  ['reload on change', 'watch'],
  ['request log', 'logRequests'],
  ['rate limit', 'rateLimit'],
  ['compression', 'compress']
] as const

/** Names the switches that are on, or those that are off. */
function switchesOf (settings: Settings, isOn: boolean): string {
  const shown = shownSwitches.filter(([, key]) => (settings[key] !== false) === isOn)
  return shown.map(([name]) => name).join(', ')
}

function dataLine ({ catalogue, settings }: Started): string {
  if (settings.upstream !== undefined) return 'the real service at'
  const counts: string[] = []
  for (const { access, key, path } of resources) {
    const name = path.split('/').at(-2)
    if (access === 'public') counts.push(`${catalogue[key].length} ${name}`)
  }
  return counts.join(', ')
}

/** Returns a command that works with any certificate, as few contain 127.0.0.1. */
function curlExample ({ ready: { url } }: Started, target: string, token?: true): string {
  const insecure = url.startsWith('https:')
  return curlLine({ address: url + target, token, insecure })
}
