import { styleText } from 'node:util'
import type { Catalogue } from '../catalogue/load.ts'
import { name, version } from '../package.ts'
import { resources } from '../resources.ts'
import type { Reach } from './listening.ts'
import { wrap } from './wrap.ts'

const columns = 76

/** What the command says of itself once it listens. */
export type Started = {
  reach: Reach
  catalogue: Catalogue
  /** The directory that the catalogue was read from. */
  data: string
}

/** Gives the line that tells another program that the server is ready: a JSON object. */
export function readyLine ({ reach, data }: Started): string {
  return JSON.stringify({ event: 'listening', url: reach.url, pid: process.pid, version, data })
}

/** Gives what a person reads in a terminal: where the server is, what it serves and what to try. */
export function banner ({ reach, catalogue, data }: Started, hasColours: boolean): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    hasColours ? styleText(style, text, { validateStream: false }) : text
  const { url, lan, emulator } = reach
  const places = [
    { url, where: 'on this machine' },
    ...lan.map(url => ({ url, where: 'on this network' })),
    ...emulator ? [{ url: emulator, where: 'in the Android emulator' }] : []
  ]
  const widest = Math.max(...places.map(({ url }) => url.length))
  const counts = resources.map(({ path, records }) => `${records(catalogue).length} ${path.split('/').at(-2)}`)
  const lines = [
    `${paint('bold', name)} ${version}`,
    '',
    ...places.map(({ url, where }) => `${paint(['bold', 'magenta'], url)}${' '.repeat(widest - url.length)}  ${where}`),
    '',
    ...wrap(`Serves ${counts.join(', ')}`.split(/(?<=,) /), columns),
    `from ${data}`,
    '',
    paint('bold', 'Try'),
    `  curl "${url}/api/v1/bikes/"`,
    `  curl "${url}/api/v1/bikes/?ordering=-title&page=1"`,
    `  ${url}/api/v1/bikes/?format=api ${paint('dim', '(in a browser)')}`,
    '',
    paint('dim', 'Ctrl-C stops it.')
  ]
  return ['', ...lines.map(line => line && `  ${line}`), ''].join('\n')
}
