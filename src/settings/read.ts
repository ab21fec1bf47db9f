import { createPrivateKey, X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { createSecureContext } from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import { suggestion } from '../base/nearest.ts'
import { attempt } from '../base/attempt.ts'
import type { JsonObject } from '../base/json.ts'
import { invalid, readFlags, readValue, SettingsError } from './flags.ts'
import { splitUser } from './kinds.ts'
import {
  type Options, type Setting, type Settings, defaultSettings, developmentTokens, flagOf, settingRows, variablePrefix,
  variablesOf
} from './settings.ts'

export type Command = {
  settings: Settings
  /** One line for each variable with the prefix that names no setting. */
  warnings: string[]
}

const switches = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const

/**
 * Returns the text that arguments request instead of a start; undefined for a start.
 *
 * @throws {SettingsError} for an unknown flag or an unexpected argument
 */
export function requestedText (argv: string[]): 'help' | 'help all' | 'version' | undefined {
  const { flags, isHelpAll } = settingFlagsIn(argv)
  if (isHelpAll) return 'help all'
  if (flags.has('help')) return 'help'
  return flags.has('version') ? 'version' : undefined
}

/**
 * Reads the command's arguments and environment. Flags override variables, variables override the preset, and the
 * preset overrides the defaults; the last of several flags counts, and an empty variable is absent.
 *
 * @throws {SettingsError} for the first invalid one
 */
export function readSettings (argv: string[], env: NodeJS.Dict<string>, preset: Partial<Settings> = {}): Command {
  const { flags } = settingFlagsIn(argv)
  const settings = settingsOf(preset, key => `--${flagOf(key)}`, (key, row) => {
    const flag = flags.get(flagOf(key))
    if (flag !== undefined) return readValue(row, `--${flagOf(key)}`, flag)
    for (const name of variablesOf(key, row)) {
      const text = env[name]?.trim() ?? ''
      // Kubernetes sets the variable of the port to tcp://… for a Service with this name.
      const isOfService = key === 'port' && text.startsWith('tcp://')
      if (text !== '' && !isOfService) return readValue(row, name, text)
    }
    return undefined
  })
  const known = settingRows.flatMap(([key, row]) => variablesOf(key, row))
  const unknown = Object.keys(env).filter(name => {
    return name.startsWith(variablePrefix) && !known.includes(name) && !ofService.test(name)
  })
  return { settings, warnings: unknown.map(name => `unknown variable ${name}${suggestion(name, known, '')}`) }
}

/** The variables that Kubernetes sets for a Service with the name bicycle-catalogue. */
const ofService = /_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT_\d+_(?:TCP|UDP)(?:_.+)?)$/

/** Returns the flags with their values, and whether they are `--help all`, the only ones with an argument. */
function settingFlagsIn (argv: string[]) {
  const kinds = Object.fromEntries(settingRows.map(([key, row]) => [flagOf(key), row]))
  const { flags, rest } = readFlags(argv, kinds, switches, '--help all')
  const [stray] = rest
  const isHelpAll = flags.has('help') && stray === 'all' && rest.length === 1
  if (stray !== undefined && !isHelpAll) {
    throw new SettingsError(`unexpected argument ${JSON.stringify(stray)}${meant(stray)} (--help all lists the flags)`)
  }
  return { flags, isHelpAll }
}

/** Returns a question for a probable port or directory without its flag; empty for any other string. */
export function meant (stray: string): string {
  if (/^\d+$/.test(stray)) return `; did you mean --port ${stray}?`
  return attempt(() => statSync(stray)).value?.isDirectory() ? `; did you mean --data ${stray}?` : ''
}

/**
 * Reads the options of a program; missing ones are those of `preset`, or defaults.
 *
 * @throws {SettingsError} for the first error
 */
export function readOptions (options: Options, preset: Partial<Settings>): Settings {
  const given: JsonObject = options
  const known: string[] = []
  for (const [key, { ofCommand }] of settingRows) if (ofCommand === undefined) known.push(key)
  const unknown = Object.keys(given).find(key => !known.includes(key))
  if (unknown !== undefined) {
    throw new SettingsError(`unknown setting ${JSON.stringify(unknown)}${suggestion(unknown, known, '"', '"')}`)
  }
  return settingsOf(preset, key => key, (key, row) => {
    return given[key] === undefined ? undefined : readOption(row, key, given[key])
  })
}

/** Settings that have no effect without another one. */
const needs = [
  ['tlsCert', 'tlsKey'],
  ['tlsKey', 'tlsCert'],
  ['delay', 'simulate'],
  ['rules', 'simulate'],
  ['failureRate', 'simulate'],
  ['upstream', 'simulate'],
  ['upstreamHeader', 'upstream'],
  ['rateLimitV1', 'rateLimit'],
  ['rateLimitV2', 'rateLimit']
] as const

/** Settings of this server's own data, which has no effect with `upstream`. */
const ownData = ['data', 'overlay', 'paginate', 'pageSize'] as const

type Key = keyof Settings
type ReadSetting = (key: Key, row: Setting) => unknown

/** Returns values of `read`, otherwise of the preset or defaults; throws when one needs or excludes another. */
function settingsOf (preset: Partial<Settings>, nameOf: (key: Key) => string, read: ReadSetting): Settings {
  const given: { [key in Key]?: unknown } = {}
  for (const [key, row] of settingRows) {
    const value = read(key, row)
    if (value !== undefined) given[key] = value
  }
  const settings = { ...defaultSettings, ...preset, ...given } as Settings
  for (const [key, other] of needs) {
    if (given[key] && !settings[other]) throw new SettingsError(`${nameOf(key)} needs ${nameOf(other)}`)
  }
  if (settings.upstream === undefined) return settings
  const excluded = ownData.find(key => given[key] !== undefined)
  if (excluded !== undefined) {
    throw new SettingsError(`${nameOf('upstream')} excludes ${nameOf(excluded)}: the real service has the data`)
  }
  const { base, authorization } = splitUser(settings.upstream)
  if (isOwnAddress(settings, new URL(base))) {
    throw new SettingsError(`${nameOf('upstream')} is the address of this server: change ${nameOf('port')}`)
  }
  const { upstreamHeader = [] } = settings
  const header = authorization === undefined ? [] : [`authorization: ${authorization}`]
  // The service has tokens and limits of its own.
  return {
    ...settings, upstream: base, upstreamHeader: [...header, ...upstreamHeader], tokenForm: false, rateLimit: false
  }
}

/** Returns whether a URL is surely that of a server with these settings; the port 0 is free, so of nobody yet. */
function isOwnAddress ({ host, port }: Settings, { protocol, hostname, port: given }: URL): boolean {
  const standardPort = protocol === 'https:' ? 443 : 80
  if (Number(given || standardPort) !== port) return false
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = Object.values(networkInterfaces() as Record<string, NetworkInterfaceInfo[]>).flat()
  const everywhere = ['localhost', '0.0.0.0', '::', ...addresses.map(({ address }) => address)]
  const names: Readonly<Record<string, readonly string[]>> = {
    localhost: ['127.0.0.1', '::1', '0.0.0.0', '::'],
    '127.0.0.1': ['localhost', '0.0.0.0'],
    '0.0.0.0': everywhere,
    '::': everywhere
  }
  return name === host || names[host]?.includes(name) === true
}

/** Reads an option as a string, unless its kind reads objects, so that flags and options have the same valid values. */
function readOption (row: Setting, key: string, given: unknown): unknown {
  const { read, readObject, write = String, isPath = false } = row
  const isObject = readObject !== undefined && typeof given === 'object' && given !== null
  if (!isObject && Array.isArray(given) && given.length === 0) return undefined
  const { value, error } = attempt(() => isObject ? readObject(given) : read(write(given)))
  const isText = typeof given === 'string'
  // Paths and addresses may differ from their string.
  const isSame = isText ? isPath || typeof value === 'string' : isDeepStrictEqual(value, given)
  if (value !== undefined && isSame) return value
  throw invalid({ ...row, expects: row.asOption ?? row.expects }, key, given, error)
}

/**
 * Returns the certificate and key of an HTTPS server; undefined for HTTP.
 *
 * @throws {SettingsError} when they do not fit together
 */
export function secureOf ({ tlsCert: cert, tlsKey: key }: Pick<Settings, 'tlsCert' | 'tlsKey'>) {
  if (cert === undefined || key === undefined) return undefined
  try {
    createSecureContext({ cert, key }) // accepts a certificate and a key of different kinds, so they are compared too
    const isPair = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
    if (!isPair) throw new Error('the key does not match the certificate')
    return { cert, key }
  } catch (error) {
    throw new SettingsError(`--tls-cert and --tls-key cannot be used together: ${(error as Error).message}`)
  }
}

export function isLoopback (host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host)
}

/** Holders of an issued token can find a shorter secret by brute force. */
const leastSecretLength = 16

/** Warns of settings that are valid but insecure. */
export function securityWarnings ({ trustProxy, host, tokenSecret, tokenSecretFile }: Settings): string[] {
  const secret = tokenSecret ?? tokenSecretFile
  const warnings: string[] = []
  if (trustProxy === true && !isLoopback(host)) {
    warnings.push(`trust-proxy is on and ${host} is open to others: ` +
      'clients can forge their address and the host of links; name the proxies instead')
  }
  if (secret !== undefined && secret.length < leastSecretLength) {
    warnings.push(`token-secret has fewer than ${leastSecretLength} characters: ` +
      'anyone with an issued token can guess it and issue others')
  }
  return warnings
}

/**
 * Returns the stable token of `dev`; undefined where the server listens on another than a loopback address, and where
 * settings give tokens or a secret.
 */
export function developmentTokenOf (settings: Settings): string | undefined {
  const { host, tokens, tokensFile, tokenSecret, tokenSecretFile, upstream } = settings
  if (tokens !== developmentTokens || !isLoopback(host)) return undefined
  const isConfigured = [tokensFile, tokenSecret, tokenSecretFile, upstream].some(value => value !== undefined)
  return isConfigured ? undefined : tokens[0]
}

/** Returns the path of the public URL without a trailing slash; empty without one. */
export function basePathOf ({ publicUrl = '' }: Pick<Settings, 'publicUrl'>): string {
  return publicUrl.replace(/^\w+:\/\/[^/]+/, '')
}
