import { styleText } from 'node:util'
import { curlLine } from '../http/curl.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { name, version } from '../package.ts'
import type { Tokens } from '../http/authentication.ts'
import { resources } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import type { Reach } from './listening.ts'
import { wrap } from '../settings/help.ts'

const columns = 76

/** The content of the ready file, of the message to a parent, and of the line on standard output. */
export type Ready = Record<'url' | 'version' | 'data', string> & Record<'port' | 'pid', number> & {
  metrics?: string | undefined
  /** Issued at the start, unless settings give tokens or a secret. */
  token: string | undefined
}

/** The facts that the command prints in a terminal once it listens. */
export type Started = { ready: Ready, reach: Reach, catalogue: Catalogue, note: string | undefined }

/** Returns a ready-made token, and a note that it is invalid after a restart, unless settings give tokens or a secret. */
export function tokensOf (
  { issue, invalidAfterRestart }: Pick<Tokens, 'issue' | 'invalidAfterRestart'>, { tokens, tokensFile }: Settings
): { note?: string, token?: string | undefined } {
  if (!invalidAfterRestart || tokens !== undefined || tokensFile !== undefined) return {}
  return { note: 'Issued tokens are invalid after a restart; with --token-secret they stay valid.', token: issue() }
}

/** Formats the text for a terminal: URLs, resources, and requests to try. */
export function banner ({ ready, reach, catalogue, note }: Started, hasColours: boolean): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    hasColours ? styleText(style, text, { validateStream: false }) : text
  const { url, metrics, data, token } = ready
  const places = [
    { url, where: 'on this machine' },
    ...reach.lan.map(url => ({ url, where: 'on this network' })),
    ...reach.emulator ? [{ url: reach.emulator, where: 'in the Android emulator' }] : [],
    ...metrics ? [{ url: metrics, where: 'for Prometheus' }] : []
  ]
  const curl = (target: string, token?: string) =>
    `  ${curlLine({ address: url + target, token, insecure: url.startsWith('https:') })}` // few certificates hold 127.0.0.1
  const widest = Math.max(...places.map(({ url }) => url.length))
  const counts = resources.filter(({ access }) => access === 'public')
    .map(({ key, path }) => `${catalogue[key].length} ${path.split('/').at(-2)}`)
  const lines = [
    `${paint('bold', name)} ${version}`,
    '',
    ...places.map(({ url, where }) => `${paint(['bold', 'magenta'], url)}${' '.repeat(widest - url.length)}  ${where}`),
    '',
    ...wrap(`Serves ${counts.join(', ')}`.split(/(?<=,) /), columns),
    `from ${data}`,
    '',
    paint('bold', 'Try'),
    curl('/api/v1/bikes/'),
    curl('/api/v1/bikes/?ordering=-title&page=1'),
    `  ${url}/api/v1/bikes/?format=api ${paint('dim', '(in a browser)')}`,
    ...token === undefined ? [] : [curl('/api/v2/bikes/?page=1', token)],
    '',
    ...note === undefined ? [] : [paint('dim', note)],
    paint('dim', 'Ctrl-C stops it.')
  ]
  return ['', ...lines.map(line => line && `  ${line}`), ''].join('\n')
}
