import { inspect, parseArgs } from 'node:util'
import { attempt } from '../base/attempt.ts'
import { suggestion } from '../base/nearest.ts'
import type { Kind } from './kinds.ts'

/** The exit codes of every command; docs/reference/cli.md describes them. */
export const exitCodes = { done: 0, failed: 1, unusable: 2 } as const

/** Names an invalid setting and its valid values in one line, without secrets. */
export class SettingsError extends Error {
  override name = 'SettingsError'

  constructor (message: string) {
    super(withoutCredentials(message))
  }
}

/** Cuts issued tokens to their ids, and masks the credentials of URLs: `redis://…@host`. */
function withoutCredentials (text: string): string {
  return text
    .replace(/(bct_[\w-]{12})[\w-]+/g, '$1…')
    .replace(/(\w:\/\/)[^/?#@\s"]+@/g, '$1…@')
}

/** Reads a setting. @throws {SettingsError} with the name of the source: flag, variable or key */
export function readValue<T> (kind: Kind<T>, source: string, text: string): T {
  const { value, error } = attempt(() => kind.read(text))
  if (value === undefined) throw invalid(kind, source, text, error)
  return value
}

/** Returns the error of a value: the reason that its kind gives, or the values that its kind expects. */
export function invalid (kind: Kind<unknown>, source: string, value: unknown, reason?: Error): SettingsError {
  if (reason !== undefined) return new SettingsError(`${source}: ${reason.message}`)
  const must = `${source} must be ${kind.expects}`
  const got = kind.secret ? '' : `, got ${briefly(value)}`
  return new SettingsError(must + got)
}

function briefly (value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return inspect(value, { depth: 0, breakLength: Infinity })
}

/** Flags that take a value, and those that take none, by name. */
type Kinds = Readonly<Record<string, Kind<unknown>>>
type Switches = Readonly<Record<string, { type: 'boolean', short?: string }>>

/**
 * Returns each flag with its last value ('' for a switch), and the positional arguments.
 *
 * @throws {SettingsError} for an unknown flag, with the command that prints the `help`, and for a missing value
 */
export function readFlags (argv: string[], kinds: Kinds, switches: Switches, help: string) {
  const valued = Object.keys(kinds).map(flag => [flag, { type: 'string' as const }])
  const options = { ...Object.fromEntries(valued), ...switches }
  const args = argv.map((argument, index) => withValue(kinds, argument, argv[index + 1]))
  // Not strict, because errors of parseArgs have no suggestions.
  const { tokens, positionals: rest } = parseArgs({
    args, options, strict: false, allowPositionals: true, tokens: true
  })
  const flags = new Map<string, string>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name } = token
    if (!Object.hasOwn(options, name)) throw unknownFlag(token, Object.keys(options), help)
    const value = valueOf(token, kinds[name])
    const earlier = kinds[name]?.isRepeatable && flags.get(name)
    flags.set(name, earlier ? `${earlier}\n${value}` : value)
  }
  return { flags, rest }
}

type OptionToken = {
  name: string
  rawName: string
  value?: string | undefined
  inlineValue?: boolean | undefined
}

function unknownFlag ({ name, rawName }: OptionToken, known: readonly string[], help: string): SettingsError {
  const isShort = !rawName.startsWith('--')
  const guess = isShort ? '' : suggestion(name, known, '--')
  return new SettingsError(`unknown flag ${rawName}${guess} (${help} lists them)`)
}

/**
 * Returns the value of a flag, or '' for a switch, which has no kind.
 *
 * @throws {SettingsError} for a switch with a value, and for a flag without one
 */
function valueOf ({ rawName, value, inlineValue }: OptionToken, kind: Kind<unknown> | undefined): string {
  if (kind === undefined) {
    if (value !== undefined) throw new SettingsError(`${rawName} takes no value`)
    return ''
  }
  const isNextFlag = value !== undefined && !inlineValue && isFlag(value)
  if (value === undefined || isNextFlag) throw new SettingsError(`${rawName} needs a value: ${kind.expects}`)
  return value
}

type FlagValues<Own extends Kinds> = { [Flag in keyof Own]?: Exclude<ReturnType<Own[Flag]['read']>, undefined> }

/**
 * Returns the values of a command's flags, whether a switch is on, and the positional arguments.
 *
 * @throws {SettingsError}
 */
export function readArguments<Own extends Kinds> (
  argv: string[],
  kinds: Own,
  switches: readonly string[],
  help: string
) {
  const booleans = switches.map(name => [name, { type: 'boolean' as const }])
  const { flags, rest } = readFlags(argv, kinds, Object.fromEntries(booleans), help)
  const values: Record<string, unknown> = {}
  for (const [flag, kind] of Object.entries(kinds)) {
    const text = flags.get(flag)
    if (text !== undefined) values[flag] = readValue(kind, `--${flag}`, text)
  }
  const isOn = (name: string) => flags.has(name)
  return { values: values as FlagValues<Own>, isOn, rest }
}

/** A value may begin with a dash: -1, or the id of a token. */
const isFlag = (text: string) => /^--|^-[a-z]$/i.test(text)

/** Adds the value to a flag that stands alone: at the end, or before another flag. */
function withValue (kinds: Kinds, argument: string, next = '-'): string {
  const isAlone = argument.startsWith('--') && next.startsWith('-')
  const value = isAlone ? kinds[argument.slice('--'.length)]?.bareValue : undefined
  return value === undefined ? argument : `${argument}=${value}`
}
