import { styleText } from 'node:util'
import { curlLine } from '#assets/curl.js'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { name, version } from '../package.ts'
import type { Tokens } from '../http/authentication.ts'
import { resources } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import type { Reach } from './listening.ts'
import { wrap } from '../settings/help.ts'

const columns = 76

/** What the command says of itself once it listens. */
export type Started = {
  reach: Reach
  metrics?: string | undefined
  catalogue: Catalogue
  /** The directory that the catalogue was read from. */
  data: string
  /** What there is to say of issued tokens; undefined where they outlive the process. */
  tokens: { note: string, ready: string | undefined } | undefined
}

/** What there is to say of the issued tokens of a server, with one ready-made where no setting gives any. */
export function tokensOf ({ issue, endWithProcess }: Pick<Tokens, 'issue' | 'endWithProcess'>, settings: Settings): Started['tokens'] {
  const { tokens, tokensFile, tokenForm } = settings
  const isFixed = tokens !== undefined || tokensFile !== undefined
  if (!endWithProcess || (isFixed && !tokenForm)) return undefined
  const note = 'Issued tokens end with this process; --token-secret keeps them good.'
  return { note, ready: isFixed ? undefined : issue() }
}

/** What another program is told of a server that answers; the token is a ready-made one. */
export type Ready = {
  url: string
  port: number
  metrics?: string | undefined
  pid: number
  version: string
  data: string
  token: string | undefined
}

/** The line that tells another program that the server is ready: a JSON object. */
export function readyLine (ready: Ready, { tokens }: Started): string {
  return JSON.stringify({ event: 'listening', ...ready, note: tokens?.note })
}

/** What a person reads in a terminal: where the server is, what it serves and what to try. */
export function banner ({ reach, metrics, catalogue, data, tokens }: Started, hasColours: boolean): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    hasColours ? styleText(style, text, { validateStream: false }) : text
  const { url, lan, emulator } = reach
  const places = [
    { url, where: 'on this machine' },
    ...lan.map(url => ({ url, where: 'on this network' })),
    ...emulator ? [{ url: emulator, where: 'in the Android emulator' }] : [],
    ...metrics ? [{ url: metrics, where: 'for Prometheus' }] : []
  ]
  const curl = (target: string, token?: string) =>
    `  ${curlLine({ address: url + target, token, insecure: url.startsWith('https:') })}` // its certificate is seldom one for 127.0.0.1
  const widest = Math.max(...places.map(({ url }) => url.length))
  const counts = resources.filter(({ access }) => access === 'public')
    .map(({ path, records }) => `${records(catalogue).length} ${path.split('/').at(-2)}`)
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
    ...tokens?.ready === undefined ? [] : [curl('/api/v2/bikes/?page=1', tokens.ready)],
    '',
    ...tokens === undefined ? [] : [paint('dim', tokens.note)],
    paint('dim', 'Ctrl-C stops it.')
  ]
  return ['', ...lines.map(line => line && `  ${line}`), ''].join('\n')
}
