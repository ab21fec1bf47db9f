import { curlLine } from '../client/curl.ts'
import { type Paint, printable } from '../base/text.ts'
import { name, version } from '../package.ts'
import { resources } from '../lists/resources.ts'
import { isLoopback } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import type { Started } from './ready.ts'

/** Returns the text for a person when the server is ready: its URLs, its settings in short, and commands to try. */
export function banner (started: Started, paint: Paint): string {
  const { ready: { url, token, data }, settings, note } = started
  const label = (text: string) => paint('dim', text.padEnd(12))
  const lines = [`${paint(['bold', 'cyan'], name)} ${paint('dim', version)}`, '']
  for (const [name, text] of placesOf(started)) {
    const colour = text.startsWith('http') ? 'cyan' : 'dim'
    lines.push(label(name) + paint(colour, text))
  }
  lines.push('', label('On') + switchesOf(settings, true))
  lines.push(label('Off') + switchesOf(settings, false))
  lines.push(label('Data') + dataLine(started), label('') + printable(data))
  lines.push('', curlLine({ address: `${url}/api/v1/bikes/?page=1` }))
  if (token !== undefined) {
    const address = `${url}/api/v2/bikes/?page=1`
    lines.push('', `TOKEN=${token}`, curlLine({ address, authorization: 'Token $TOKEN' }))
  }
  lines.push('')
  if (note !== undefined) lines.push(paint('dim', note))
  lines.push(paint('dim', 'Press Ctrl+C to stop.'))
  return ['', ...lines.map(line => line && `  ${line}`), ''].join('\n')
}

/** Returns the URLs of the server with their labels. */
function placesOf ({ ready, reach, settings }: Started): [label: string, text: string][] {
  const { url, metrics } = ready
  const places: [string, string][] = [['Local', `${url}/`]]
  for (const address of reach.lan) places.push(['Network', `${address}/`])
  if (isLoopback(settings.host)) places.push(['Network', 'start with --host 0.0.0.0'])
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
