import { inspect, parseArgs } from 'node:util'
import { attempt } from '../base/attempt.ts'
import { suggestion } from '../base/nearest.ts'
import type { Kind } from './kinds.ts'

/** The exit codes of every command; docs/reference/cli.md describes them. */
export const exitCodes = { done: 0, failed: 1, unusable: 2 } as const

/** Names an invalid setting and its valid values in one line, without secrets. */
export class SettingsError extends Error {
  override name = 'SettingsError'

  /** Cuts issued tokens to their ids, and masks the credentials of URLs: `redis://…@host`. */
  constructor (message: string) {
    super(message.replace(/(bct_[\w-]{12})[\w-]+/g, '$1…').replace(/(\w:\/\/)[^/?#@\s"]+@/g, '$1…@'))
  }
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
  if (kind.secret) return new SettingsError(must)
  const isText = typeof value === 'string'
  const got = isText ? JSON.stringify(value) : inspect(value, { depth: 0, breakLength: Infinity })
  return new SettingsError(`${must}, got ${got}`)
}

/** Flags that take a value, and those that take none, by name. */
export type Kinds = Readonly<Record<string, Kind<unknown>>>
type Switches = Readonly<Record<string, { type: 'boolean', short?: string }>>

/**
 * Returns each flag with its last value ('' for a switch), and the positional arguments.
 *
 * @throws {SettingsError} for an unknown flag, with the command that prints the `help`, for a missing value, and for a
 * switch with a value
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
    const { name, rawName, value, inlineValue } = token
    if (!Object.hasOwn(options, name)) {
      const guess = rawName.startsWith('--') ? suggestion(name, Object.keys(options), '--') : ''
      throw new SettingsError(`unknown flag ${rawName}${guess} (${help} lists them)`)
    }
    const kind = kinds[name]
    if (kind === undefined) {
      if (value !== undefined) throw new SettingsError(`${rawName} takes no value`)
      flags.set(name, '')
      continue
    }
    // A value may begin with a dash: -1, or the id of a token.
    const isNextFlag = value !== undefined && !inlineValue && /^--|^-[a-z]$/i.test(value)
    if (value === undefined || isNextFlag) throw new SettingsError(`${rawName} needs a value: ${kind.expects}`)
    const earlier = kind.isRepeatable && flags.get(name)
    flags.set(name, earlier ? `${earlier}\n${value}` : value)
  }
  return { flags, rest }
}

/** Adds the value to a flag that stands alone: at the end, or before another flag. */
function withValue (kinds: Kinds, argument: string, next = '-'): string {
  const isAlone = argument.startsWith('--') && next.startsWith('-')
  const value = isAlone ? kinds[argument.slice('--'.length)]?.bareValue : undefined
  return value === undefined ? argument : `${argument}=${value}`
}
