import { createPrivateKey, X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject, jsonError } from '../base/json.ts'
import { invalid, readFlags, readValue, SettingsError, suggestion } from './flags.ts'
import {
  type Options, type Setting, type Settings, defaultSettings, developmentTokens, flagOf, rows, variablePrefix, variablesOf
} from './settings.ts'

export type Command = {
  settings: Settings
  /** One line for each variable with the prefix that names no setting. */
  warnings: string[]
}

const switches = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const

/**
 * Reads the command's arguments and environment. Flags override variables, variables the preset, and that
 * the defaults; the last of several flags counts, an empty variable is absent. @throws {SettingsError} for the first invalid one
 */
export function readSettings (argv: string[], env: NodeJS.Dict<string>, preset: Partial<Settings> = {}) {
  const kinds = Object.fromEntries(rows.map(([key, row]) => [flagOf(key), row]))
  const { flags, rest: [stray, ...others] } = readFlags(argv, kinds, switches, '--help all')
  if (flags.has('help') && stray === 'all' && others.length === 0) return 'help all'
  if (stray !== undefined) {
    throw new SettingsError(`unexpected argument ${JSON.stringify(stray)}${meant(stray)} (--help all lists the flags)`)
  }
  for (const word of ['help', 'version'] as const) if (flags.has(word)) return word
  const settings = settingsOf(preset, key => `--${flagOf(key)}`, (key, row) => {
    const flag = flags.get(flagOf(key))
    const textOf = (variable: string) => env[variable]?.trim() ?? ''
    // Kubernetes sets the variable of the port to tcp://… for a Service with this name.
    const variable = variablesOf(key, row).find(name => textOf(name) !== '' && !(key === 'port' && textOf(name).startsWith('tcp://')))
    if (flag !== undefined) return readValue(row, `--${flagOf(key)}`, flag)
    return variable === undefined ? undefined : readValue(row, variable, textOf(variable))
  })
  return { settings, warnings: strayVariables(env) }
}

/** The variables that Kubernetes sets for a Service with the name bicycle-catalogue. */
const ofService = /_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT_\d+_(?:TCP|UDP)(?:_.+)?)$/

function strayVariables (env: NodeJS.Dict<string>): string[] {
  const known = rows.flatMap(([key, row]) => variablesOf(key, row))
  return Object.keys(env).filter(name => name.startsWith(variablePrefix) && !known.includes(name) && !ofService.test(name))
    .map(name => `unknown variable ${name}${suggestion(name, known, '')}`)
}

/** Returns a question for a probable port or directory without its flag; empty for any other string. */
export function meant (stray: string): string {
  if (/^\d+$/.test(stray)) return `; did you mean --port ${stray}?`
  return attempt(() => statSync(stray)).value?.isDirectory() ? `; did you mean --data ${stray}?` : ''
}

/** Reads the options of a program; missing ones are those of `preset`, or defaults. @throws {SettingsError} for the first error */
export function readOptions (options: Options, preset: Partial<Settings>): Settings {
  const keys = rows.filter(([, { ofCommand }]) => ofCommand === undefined).map(([key]) => key)
  const stray = Object.keys(options).find(key => !keys.some(known => known === key))
  if (stray !== undefined) throw new SettingsError(`unknown setting ${JSON.stringify(stray)}${suggestion(stray, keys, '"', '"')}`)
  const given: JsonObject = options
  return settingsOf(preset, key => key, (key, row) => given[key] === undefined ? undefined : readOption(row, key, given[key]))
}

/** Settings that have no effect without another one. */
const needs = [
  ['tlsCert', 'tlsKey'], ['tlsKey', 'tlsCert'], ['delay', 'simulate'], ['rules', 'simulate'], ['failureRate', 'simulate'],
  ['upstream', 'simulate']
] as const

/** Settings of this server's own data, which has no effect with `upstream`. */
const ownData = ['data', 'overlay', 'paginate', 'pageSize'] as const

type Key = keyof Settings

/** Returns values of `read`, otherwise of the preset or defaults; throws when one needs or excludes another. */
function settingsOf (preset: Partial<Settings>, nameOf: (key: Key) => string, read: (key: Key, row: Setting) => unknown): Settings {
  const values = rows.map(([key, row]) => [key, read(key, row)] as const)
  const given: Partial<Settings> = Object.fromEntries(values.filter(([, value]) => value !== undefined))
  const settings = { ...defaultSettings, ...preset, ...given }
  for (const [key, other] of needs) if (settings[key] && !settings[other]) throw new SettingsError(`${nameOf(key)} needs ${nameOf(other)}`)
  if (settings.upstream === undefined) return settings
  for (const key of ownData) {
    if (given[key] !== undefined) throw new SettingsError(`${nameOf('upstream')} excludes ${nameOf(key)}: the real service has the data`)
  }
  // The service has tokens and limits of its own.
  return { ...settings, tokenForm: false, rateLimit: false }
}

/** Reads an option as a string, so that flags and options have the same valid values; paths and addresses may differ from their string. */
function readOption (row: Setting, key: string, given: unknown): unknown {
  if (key === 'overlay' && isPlainObject(given)) return readRecords(given, key)
  if (key === 'rules' && Array.isArray(given)) return given
  if (Array.isArray(given) && given.length === 0 && key !== 'overlay') return undefined
  const { value, error } = attempt(() => row.read((row.write ?? String)(given)))
  const isText = typeof given === 'string' && (row.isPath || typeof value === 'string')
  if (value !== undefined && (isText || isDeepStrictEqual(value, given))) return value
  throw invalid({ ...row, expects: row.asOption ?? row.expects }, key, given, error)
}

function readRecords (given: JsonObject, key: string): JsonObject {
  const { value: invalid, error } = attempt(() => jsonError(given, key, 500)) // levels, as of a data file
  if (error !== undefined) throw new SettingsError(`${key} cannot be read: ${error.message}`)
  if (invalid !== undefined) throw new SettingsError(invalid)
  return given
}

/** Returns the certificate and key of an HTTPS server; undefined for HTTP. @throws {SettingsError} when they do not fit together */
export function secureOf ({ tlsCert: cert, tlsKey: key }: Pick<Settings, 'tlsCert' | 'tlsKey'>) {
  if (cert === undefined || key === undefined) return undefined
  try {
    createSecureContext({ cert, key }) // accepts a certificate and a key of different kinds, so they are compared too
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) throw new Error('the key does not match the certificate')
    return { cert, key }
  } catch (error) {
    throw new SettingsError(`--tls-cert and --tls-key cannot be used together: ${(error as Error).message}`)
  }
}

export const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host)

/** Returns the stable token of `dev`; undefined for other addresses than loopback ones, and where settings give tokens or a secret. */
export function developmentTokenOf (settings: Settings): string | undefined {
  const { host, tokens, tokensFile, tokenSecret, tokenSecretFile, upstream } = settings
  if (tokens !== developmentTokens || !isLoopback(host)) return undefined
  const isConfigured = [tokensFile, tokenSecret, tokenSecretFile, upstream].some(value => value !== undefined)
  return isConfigured ? undefined : tokens[0]
}

/** Returns the path of the public URL without a trailing slash; empty without one. */
export const basePathOf = ({ publicUrl }: Pick<Settings, 'publicUrl'>) => publicUrl?.replace(/^\w+:\/\/[^/]+/, '') ?? ''
