import { readFileSync } from 'node:fs'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { isIP } from 'node:net'
import { unescape } from 'node:querystring'
import { attempt } from '../base/attempt.ts'
import { isUtf16, unreadable } from '../base/files.ts'
import { isPlainObject, jsonError } from '../base/json.ts'
import type { OverlayRecords } from './overlay-records.ts'

/** A kind of value. */
export type Kind<T> = {
  /** Describes valid values, after "must be". */
  expects: string
  /** Describes valid options of a program, unless they are strings. */
  asOption?: string
  /** Returns undefined for an invalid string, or throws an error whose message follows the name of the setting. */
  read: (text: string) => T | undefined
  /** Hides the value in messages. */
  secret?: true
  /** The value of a flag given without one. */
  bareValue?: string
  /** A flag may be given several times; `read` gets a line for each. */
  isRepeatable?: true
  /** Reads an object or array of a program, in place of `read`. */
  readObject?: (given: object) => T | undefined
  /** Formats a program's value as the string that `read` expects, instead of String(). */
  write?: (value: unknown) => string
  /** The string is the path of a file, also from a program. */
  isPath?: true
}

/** Reads an integer; both bounds are included. */
export const wholeNumber = (least: number, most: number): Kind<number> => ({
  expects: `an integer from ${least} to ${most}`,
  read: text => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN
    return number >= least && number <= most ? number : undefined
  }
})

export function oneOf<const Word extends string> (words: readonly Word[]): Kind<Word> {
  return {
    expects: words.join(', ').replace(/, (?=[^,]*$)/, ' or '),
    read: text => words.find(word => word === text)
  }
}

export const onOff: Kind<boolean> = {
  expects: 'on or off',
  asOption: 'true or false',
  bareValue: 'on',
  read: text => {
    if (/^(?:on|true|yes|1)$/i.test(text)) return true
    return /^(?:off|false|no|0)$/i.test(text) ? false : undefined
  }
}

/** Which requests are logged: all, none, or those of apps, without the pages of this server and their files. */
export const loggedRequests: Kind<boolean | 'apps'> = {
  expects: 'on, off or apps',
  asOption: 'true, false or apps',
  bareValue: 'on',
  read: text => text === 'apps' ? text : onOff.read(text)
}

function ofForm (expects: string, form: RegExp): Kind<string> {
  return { expects, read: text => form.test(text) ? text : undefined }
}

/** Reads any string that is not empty. */
export const text = (expects: string) => ofForm(expects, /./s)

export const overlay: Kind<string | OverlayRecords> = {
  ...text('a directory'),
  asOption: "a directory, or an object of records such as { 'v1/bikes': [ … ] }",
  readObject: given => {
    if (!isPlainObject(given)) return undefined
    const error = jsonError(given, '', 500) // levels, as of a data file
    if (error !== undefined) throw new Error(error)
    return given as OverlayRecords
  }
}

/** Reads a host name or an IP address; an IPv6 address may be in brackets, as in a URL. */
export const host: Kind<string> = {
  expects: 'a host name or an IP address',
  read: text => {
    const address = text.replace(/^\[(.*)\]$/, '$1')
    return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text) || isIP(address) ? address : undefined
  }
}

/** Reads a port of 127.0.0.1, or a host and a port, as Node's `--inspect` does. */
export const listener: Kind<number | string> = {
  expects: 'a port from 0 to 65535, or a host and a port such as 0.0.0.0:9464',
  read: text => {
    const [, name, number = text] = /^(.+):(\d+)$/.exec(text) ?? []
    const port = wholeNumber(0, 65535).read(number)
    if (port === undefined || name === undefined) return port
    return host.read(name) && text
  }
}

/** Reads an http or https URL, without a trailing slash; it may have a path, but no query and no quotes. */
export const baseUrl: Kind<string> = {
  expects: 'a URL such as https://bikes.example.org or https://bikes.example.org/catalogue',
  read: text => {
    if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
    const { origin, pathname, href } = new URL(text)
    const isOrigin = /^[\w.:/[\]-]+$/.test(origin)
    const isPath = /^(?:\/[\w.~-]+)*\/?$/.test(pathname)
    const hasOthers = href !== origin + pathname
    return isOrigin && isPath && !hasOthers ? href.replace(/\/$/, '') : undefined
  }
}

/** Reads the URL of a base with a user, such as https://user:password@bikes.example.org. */
export const gatewayUrl: Kind<string> = {
  expects: `${baseUrl.expects}, with user:password@ or without`,
  secret: true,
  read: text => {
    if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
    const { base, authorization = '' } = splitUser(text)
    const url = baseUrl.read(base)
    return url && (authorization === '' ? url : text)
  }
}

/** Separates the user of a URL, as a value of the header Authorization (RFC 7617). */
export function splitUser (text: string): { base: string, authorization?: string } {
  const url = new URL(text)
  const { username, password } = url
  if (username === '' && password === '') return { base: text }
  const user = unescape(`${username}:${password}`)
  url.username = ''
  url.password = ''
  return { base: url.href.replace(/\/$/, ''), authorization: `Basic ${Buffer.from(user).toString('base64')}` }
}

/** Headers that belong to a connection, which the client sets itself. */
const ofConnection = /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/

/** Returns a header by its name in lower case. @throws {Error} for an invalid one, and for one of the connection */
export function readHeaderLine (line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon)).trim()
  const value = line.slice(colon + 1).trim()
  validateHeaderName(name)
  validateHeaderValue(name, value)
  const key = name.toLowerCase()
  if (ofConnection.test(key)) throw new Error(`${name} belongs to the connection`)
  return [key, value]
}

/** Reads headers, one a line. */
export const headerLines: Kind<readonly string[]> = {
  expects: "a header such as 'X-Api-Key: abc'",
  asOption: "an array of headers such as ['X-Api-Key: abc']",
  secret: true,
  isRepeatable: true,
  write: value => [value].flat().join('\n'),
  read: text => {
    const lines = text.split('\n')
    lines.forEach(readHeaderLine)
    return lines
  }
}

export const proxies: Kind<boolean | number | readonly string[]> = {
  expects: 'on, off, a number of hops, or a comma-separated list of addresses and ranges such as 10.0.0.0/8',
  asOption: 'true, false, a number of hops, or an array of addresses and ranges such as 10.0.0.0/8',
  read: text => {
    const choice = wholeNumber(1, 99).read(text) ?? onOff.read(text)
    if (choice !== undefined) return choice
    const ranges = text.split(',').map(range => range.trim())
    return ranges.every(isRange) ? ranges : undefined
  }
}

function isRange (range: string): boolean {
  const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(range) ?? []
  const family = isIP(address)
  if (family === 0 || bits === undefined) return family !== 0
  return Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128)
}

export const lowerWord = ofForm(
  'lower-case letters, digits and underscores that begin with a letter',
  /^[a-z][a-z0-9_]{0,63}$/
)

/** Reads a string without white space in it. */
export const word = (expects: string): Kind<string> => ({
  expects,
  read: text => /^\S+$/.exec(text.trim())?.[0]
})

/** Reads text in PEM (RFC 7468) with a part of this label. */
export function pem (expects: string, label: string): Kind<string> {
  return ofForm(`${expects} in PEM`, new RegExp(`^-----BEGIN (?:[A-Z0-9]+ )*${label}-----$`, 'm'))
}

/** Reads the value of another kind from a file, as container platforms mount secrets. */
export function fromFile<T> (kind: Kind<T>): Kind<T> & { isPath: true } {
  return {
    expects: `a file that contains ${kind.expects}`,
    isPath: true,
    read: path => {
      const { value: bytes, error: fileError } = attempt(() => readFileSync(path))
      if (fileError !== undefined) throw new Error(`${path} ${unreadable(fileError)}`)
      if (isUtf16(bytes)) throw new Error(`${path} is UTF-16; save it as UTF-8`)
      const content = bytes.toString()
      const { value, error } = attempt(() => kind.read(content))
      if (error !== undefined) throw new Error(`${path}: ${error.message}`)
      if (value === undefined && content.trim() === '') throw new Error(`${path} is empty`)
      return value
    }
  }
}

function tokensIn (text: string): string[] {
  return text.split(/[,\n]/).map(token => token.trim()).filter(token => token !== '')
}

const isToken = (text: string) => !/\s/.test(text)

/** Reads at least one token, separated by commas or line ends. */
export const tokenList: Kind<readonly string[]> = {
  expects: 'tokens without spaces, separated by commas',
  asOption: 'an array of tokens without spaces',
  secret: true,
  read: text => {
    const tokens = tokensIn(text)
    return tokens.length > 0 && tokens.every(isToken) ? tokens : undefined
  }
}

/** Reads the tokens of a file: one per line or separated by commas; lines that begin with `#` are comments. */
export const tokenLines: Kind<readonly string[]> = {
  expects: tokenList.expects,
  read: text => {
    const lines = text.split('\n').map(line => line.trimStart().startsWith('#') ? [] : tokensIn(line))
    const invalid = lines.findIndex(tokens => !tokens.every(isToken))
    if (invalid !== -1) throw new Error(`line ${invalid + 1} contains a space`)
    const tokens = lines.flat()
    if (tokens.length > 0 || text.includes('#')) return tokens
    throw new Error('it contains no token; write "# none" if no token is valid')
  }
}

const maxMilliseconds = 60_000

export const milliseconds: Kind<number | readonly [least: number, most: number]> = {
  expects: `milliseconds, such as 500 or 100-2000, up to ${maxMilliseconds}`,
  asOption: `milliseconds, such as 500 or [100, 2000], up to ${maxMilliseconds}`,
  write: value => String(value).replace(',', '-'),
  read: text => {
    if (!/^\d{1,5}(?:-\d{1,5})?$/.test(text)) return undefined
    const [least = 0, most = least] = text.split('-').map(Number)
    if (least > most || most > maxMilliseconds) return undefined
    return text.includes('-') ? [least, most] : least
  }
}

export const share: Kind<number> = {
  expects: 'a number from 0 to 1, such as 0.1',
  read: text => {
    const isNumber = /^(?=.)[01]?(?:\.\d{1,9})?$/.test(text)
    return isNumber && Number(text) <= 1 ? Number(text) : undefined
  }
}

export const redisUrl: Kind<string> = {
  expects: 'a URL such as redis://localhost:6379 or rediss://user:password@host:6380/0',
  read: text => /^rediss?:\/\/[^/]/i.test(text) && URL.canParse(text) ? text : undefined
}

export const asciiToken: Kind<string> = { ...ofForm('a token in ASCII without spaces', /^[!-~]+$/), secret: true }

/** Rules of a simulation: a file with its text, or objects. */
export type Rules = { readonly file: string, readonly text: string } | readonly object[]

const rulesText = fromFile({
  expects: 'a JSON array of rules',
  read: text => text.trim() === '' ? undefined : text.replace(/^\ufeff/, '')
})

export const rules: Kind<Rules> & { isPath: true } = {
  ...rulesText,
  asOption: "a file, or an array of rules such as [{ path: '/api/v1/bikes/', code: 503 }]",
  read: file => ({ file, text: rulesText.read(file) as string }), // an empty file is an error
  readObject: given => Array.isArray(given) ? given : undefined
}
