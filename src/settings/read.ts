import { createPrivateKey, X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import { attempt } from '../base/attempt.ts'
import { isPlainObject, type JsonObject, jsonError } from '../base/json.ts'
import { invalid, readFlags, readValue, SettingsError, suggestion } from './flags.ts'
import {
  type Options, type Setting, type Settings, defaultSettings, developmentTokens, flagOf, removedSettings, rows, variablePrefix,
  variablesOf
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
  const removed = Object.keys(removedSettings).find(key => argv.some(argument => argument.split('=', 1)[0] === `--${flagOf(key)}`))
  if (removed !== undefined) throw new SettingsError(removalOf(removed, `--${flagOf(removed)}`))
  const kinds = Object.fromEntries(rows.map(([key, row]) => [flagOf(key), row]))
  const { flags, rest: [stray, ...others] } = readFlags(argv, kinds, switches, '--help all')
  if (flags.has('help') && stray === 'all' && others.length === 0) return 'help all'
  if (stray !== undefined) {
    throw new SettingsError(`unexpected argument ${JSON.stringify(stray)}${meant(stray)} (--help all lists the flags)`)
  }
  for (const word of ['help', 'version'] as const) if (flags.has(word)) return word
  const warnings = warningsOf(env)
  const settings = settingsOf(preset, key => `--${flagOf(key)}`, (key, row) => {
    const flag = flags.get(flagOf(key))
    if (flag !== undefined) return readValue(row, `--${flagOf(key)}`, flag)
    return readVariable(key, row, env)
  })
  return { settings, warnings }
}

/** Returns the value of the first variable of a setting that is set; undefined if none is. */
function readVariable (key: Key, row: Setting, env: NodeJS.Dict<string>): unknown {
  for (const name of variablesOf(key, row)) {
    const text = env[name]?.trim() ?? ''
    // Kubernetes sets the variable of the port to tcp://… for a Service with this name.
    const isOfService = key === 'port' && text.startsWith('tcp://')
    if (text !== '' && !isOfService) return readValue(row, name, text)
  }
  return undefined
}

const removalOf = (key: string, name: string) => `${name} was removed in ${removedSettings[key]?.version}: see docs/guides/upgrade.md`

/** The variables that Kubernetes sets for a Service with the name bicycle-catalogue. */
const ofService = /_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT_\d+_(?:TCP|UDP)(?:_.+)?)$/

/** Returns a warning for each variable with the prefix that names no setting. @throws {SettingsError} for one that restricted access */
function warningsOf (env: NodeJS.Dict<string>): string[] {
  const known = rows.flatMap(([key, row]) => variablesOf(key, row))
  const warnings: string[] = []
  for (const name of Object.keys(env)) {
    if (!name.startsWith(variablePrefix) || known.includes(name) || ofService.test(name)) continue
    const removed = Object.keys(removedSettings).find(key => variablesOf(key).includes(name))
    if (removed === undefined) {
      warnings.push(`unknown variable ${name}${suggestion(name, known, '')}`)
      continue
    }
    const isSet = env[name]?.trim() !== ''
    if (isSet && removedSettings[removed]?.restricts) throw new SettingsError(removalOf(removed, name))
    warnings.push(removalOf(removed, name))
  }
  return warnings
}

/** Returns a question for a probable port or directory without its flag; empty for any other string. */
export function meant (stray: string): string {
  if (/^\d+$/.test(stray)) return `; did you mean --port ${stray}?`
  return attempt(() => statSync(stray)).value?.isDirectory() ? `; did you mean --data ${stray}?` : ''
}

/** Reads the options of a program; missing ones are those of `preset`, or defaults. @throws {SettingsError} for the first error */
export function readOptions (options: Options, preset: Partial<Settings>): Settings {
  const ofProgram = rows.filter(([, { ofCommand }]) => ofCommand === undefined)
  const keys: readonly string[] = ofProgram.map(([key]) => key)
  const given: JsonObject = options
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(removedSettings, key)) throw new SettingsError(removalOf(key, key))
    if (!keys.includes(key)) throw new SettingsError(`unknown setting ${JSON.stringify(key)}${suggestion(key, keys, '"', '"')}`)
  }
  return settingsOf(preset, key => key, (key, row) => {
    return given[key] === undefined ? undefined : readOption(row, key, given[key])
  })
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
  const given: { [key in Key]?: unknown } = {}
  for (const [key, row] of rows) {
    const value = read(key, row)
    if (value !== undefined) given[key] = value
  }
  const settings = { ...defaultSettings, ...preset, ...given } as Settings
  for (const [key, other] of needs) {
    if (settings[key] && !settings[other]) throw new SettingsError(`${nameOf(key)} needs ${nameOf(other)}`)
  }
  if (settings.upstream === undefined) return settings
  for (const key of ownData) {
    if (given[key] !== undefined) throw new SettingsError(`${nameOf('upstream')} excludes ${nameOf(key)}: the real service has the data`)
  }
  // The service has tokens and limits of its own.
  return { ...settings, tokenForm: false, rateLimit: false }
}

/** Reads an option as a string, so that flags and options have the same valid values; paths and addresses may differ from their string. */
function readOption (row: Setting, key: string, given: unknown): unknown {
  if (key === 'overlay') {
    if (isPlainObject(given)) return readRecords(given, key)
  } else if (Array.isArray(given)) {
    if (key === 'rules') return given
    if (given.length === 0) return undefined
  }
  const write = row.write ?? String
  const { value, error } = attempt(() => row.read(write(given)))
  const isText = typeof given === 'string' && (row.isPath === true || typeof value === 'string')
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
