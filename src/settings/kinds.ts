import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

/** How the text of a setting is read; `read` gives undefined for text that is not what the setting takes. */
export type Kind<T> = {
  /** What would be right, as words that fit after "must be". */
  takes: string
  /** The same for a program, where it gives no text. */
  asOption?: string
  read: (text: string) => T | undefined
  /** What is wrong with a text besides, where there is more to say. */
  fault?: (text: string) => string | undefined
  /** Keeps the value out of every message. */
  secret?: true
  /** What a flag means that stands without a value. */
  alone?: string
  /** Stands behind the number that a program gives. */
  unit?: string
  /** Stands between the numbers that a program gives. */
  separator?: string
  /** Marks a text that names a file: what a program gives is the path. */
  isPath?: true
}

/** Reads a whole number; both bounds are included. */
export function wholeNumber (least: number, most: number): Kind<number> {
  return {
    takes: `a whole number from ${least} to ${most}`,
    read: text => /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined
  }
}

export function oneOf<const Word extends string> (words: readonly Word[]): Kind<Word> {
  return {
    takes: words.join(', ').replace(/, (?=[^,]*$)/, ' or '),
    read: text => words.find(word => word === text)
  }
}

export const onOff: Kind<boolean> = {
  takes: 'on or off',
  asOption: 'true or false',
  alone: 'on',
  read: text => text === 'on' ? true : text === 'off' ? false : undefined
}

/** Any text that is not empty. */
export function text (takes: string): Kind<string> {
  return { takes, read: text => text || undefined }
}

/** Reads a host name or an IP address; an IPv6 address may stand in brackets, as in a URL. */
export const host: Kind<string> = {
  takes: 'a host name or an IP address',
  read: text => {
    const address = text.replace(/^\[(.*)\]$/, '$1')
    return isIP(address) || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text) ? address : undefined
  }
}

/** Reads a port, which stands for one of this machine alone, or a host and a port, as Node's `--inspect` does. */
export const listener: Kind<number | string> = {
  takes: 'a port from 0 to 65535, or a host and a port such as 0.0.0.0:9464',
  read: text => {
    const [, name, number = text] = /^(.+):(\d+)$/.exec(text) ?? []
    const port = wholeNumber(0, 65535).read(number)
    return port === undefined || name === undefined ? port : host.read(name) && text
  }
}

/** Reads the scheme, host and port of an http or https URL, without a trailing slash; quotes, which hosts of URLs may hold, are refused. */
export const origin: Kind<string> = {
  takes: 'an origin such as https://bikes.example.org, without a path',
  read: text => {
    if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
    const { origin, href } = new URL(text)
    return href === `${origin}/` && /^[\w.:/[\]-]+$/.test(origin) ? origin : undefined
  }
}

/** Reads which proxies are trusted: `on` for all, `off` for none, a number of hops, or a list of addresses and ranges. */
export const proxies: Kind<boolean | number | readonly string[]> = {
  takes: 'on, off, a number of hops, or a comma list of addresses and ranges such as 10.0.0.0/8',
  asOption: 'true, false, a number of hops, or an array of addresses and ranges such as 10.0.0.0/8',
  read: text => {
    const ranges = text.split(',').map(range => range.trim())
    return onOff.read(text) ?? wholeNumber(1, 99).read(text) ?? (ranges.every(isRange) ? ranges : undefined)
  }
}

function isRange (range: string): boolean {
  const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(range) ?? []
  const family = isIP(address)
  if (family === 0 || bits === undefined) return family !== 0
  return Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128)
}

/** Reads a text that holds no white space. */
export function word (takes: string): Kind<string> {
  return { takes, read: text => /^\S+$/.test(text) ? text : undefined }
}

/** Reads text in PEM (RFC 7468) that has a part with a label. */
export function pem (what: string, label: string): Kind<string> {
  const begin = new RegExp(`^-----BEGIN (?:[A-Z0-9]+ )*${label}-----$`, 'm')
  return { takes: `${what} in PEM`, read: text => begin.test(text) ? text : undefined }
}

/** Reads the path of a file that holds what another setting takes, as container platforms mount secrets. */
export function fileOf<T> (kind: Kind<T>): Kind<T> & { isPath: true } {
  return {
    takes: `a file that holds ${kind.takes}`,
    isPath: true,
    read: path => {
      const file = readFile(path)
      return typeof file === 'string' ? kind.read(file.trim()) : undefined
    },
    fault: path => {
      const file = readFile(path)
      if (typeof file !== 'string') return file.fault
      return file.trim() === '' ? 'it is empty' : kind.fault?.(file)
    }
  }
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'there is no permission to read it',
  EISDIR: 'it is a directory'
}

function readFile (path: string): string | { fault: string } {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return { fault: fileFaults[code] ?? message }
  }
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Reads a length of time as seconds. */
export const duration: Kind<number> = {
  takes: 'a length of time such as 90s, 15m, 12h, 30d or 4w',
  asOption: 'a whole number of seconds, at least 1',
  unit: 's',
  read: text => {
    const [, amount, unit = ''] = /^([1-9]\d{0,8})([smhdw])$/.exec(text) ?? []
    return amount === undefined ? undefined : Number(amount) * (secondsOf[unit] as number)
  }
}

const maxMilliseconds = 60_000

/** Reads milliseconds, one number or the two between which they lie. */
export const milliseconds: Kind<number | readonly [least: number, most: number]> = {
  takes: `milliseconds, such as 500 or 100-2000, up to ${maxMilliseconds}`,
  asOption: `milliseconds, such as 500 or [100, 2000], up to ${maxMilliseconds}`,
  separator: '-',
  read: text => {
    const [least = NaN, most = least] = /^\d{1,5}(?:-\d{1,5})?$/.test(text) ? text.split('-').map(Number) : []
    if (!(least <= most && most <= maxMilliseconds)) return undefined
    return text.includes('-') ? [least, most] : least
  }
}

export const share: Kind<number> = {
  takes: 'a number from 0 to 1, such as 0.1',
  read: text => /^(?=.)[01]?(?:\.\d{1,9})?$/.test(text) && Number(text) <= 1 ? Number(text) : undefined
}

export const redisUrl: Kind<string> = {
  takes: 'a URL such as redis://localhost:6379 or rediss://user:password@host:6380/0',
  read: text => /^rediss?:\/\/[^/]/i.test(text) && URL.canParse(text) ? text : undefined
}
