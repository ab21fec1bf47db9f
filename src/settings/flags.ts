import { inspect, parseArgs } from 'node:util'
import { attempt } from '../base/attempt.ts'
import type { Kind } from './kinds.ts'

/** The exit codes of every command; docs/reference/cli.md describes them. */
export const exitCodes = { done: 0, failed: 1, unusable: 2 } as const

/** Names an invalid setting and its valid values in one line; issued tokens are cut to their ids, and users of URLs are masked. */
export class SettingsError extends Error {
  override name = 'SettingsError'

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

export function invalid ({ expects, secret }: Kind<unknown>, source: string, value: unknown, reason?: Error): SettingsError {
  if (reason !== undefined) return new SettingsError(`${source}: ${reason.message}`)
  const text = typeof value === 'string' ? JSON.stringify(value) : inspect(value, { depth: 0, breakLength: Infinity })
  return new SettingsError(`${source} must be ${expects}${secret ? '' : `, got ${text}`}`)
}

/** Flags that take a value, and those that take none, by name. */
type Kinds = Readonly<Record<string, Kind<unknown>>>
type Switches = Readonly<Record<string, { type: 'boolean', short?: string }>>

/** Returns each flag with its last value ('' for a switch), and the positional arguments. @throws {SettingsError} which may name `help` */
export function readFlags (argv: string[], kinds: Kinds, switches: Switches, help: string) {
  const flags = new Map<string, string>()
  const options = { ...Object.fromEntries(Object.keys(kinds).map(flag => [flag, { type: 'string' as const }])), ...switches }
  const args = argv.map((argument, index) => withValue(kinds, argument, argv[index + 1]))
  // Not strict, because errors of parseArgs have no suggestions.
  const { tokens, positionals: rest } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    if (!Object.hasOwn(options, name)) {
      const guess = rawName.startsWith('--') ? suggestion(name, Object.keys(options), '--') : ''
      throw new SettingsError(`unknown flag ${rawName}${guess} (${help} lists them)`)
    }
    const kind = kinds[name]
    if (kind === undefined && value !== undefined) throw new SettingsError(`${rawName} takes no value`)
    if (kind !== undefined && (value === undefined || (!inlineValue && isFlag(value)))) {
      throw new SettingsError(`${rawName} needs a value: ${kind.expects}`)
    }
    const earlier = kind?.isRepeatable && flags.get(name)
    flags.set(name, earlier ? `${earlier}\n${value}` : value ?? '')
  }
  return { flags, rest }
}

type Values<Own extends Kinds> = { [Flag in keyof Own]?: Exclude<ReturnType<Own[Flag]['read']>, undefined> }

/** Returns the values of a command's flags, whether a switch is on, and the positional arguments. @throws {SettingsError} */
export function readArguments<Own extends Kinds> (argv: string[], kinds: Own, switches: readonly string[], help: string) {
  const { flags, rest } = readFlags(argv, kinds, Object.fromEntries(switches.map(name => [name, { type: 'boolean' }])), help)
  const values = Object.entries(kinds).flatMap(([flag, kind]) => {
    const text = flags.get(flag)
    return text === undefined ? [] : [[flag, readValue(kind, `--${flag}`, text)]]
  })
  return { values: Object.fromEntries(values) as Values<Own>, isOn: (name: string) => flags.has(name), rest }
}

/** A value may begin with a dash: -1, or the id of a token. */
const isFlag = (text: string) => /^--|^-[a-z]$/i.test(text)

/** Adds the value to a flag that stands alone: at the end, or before another flag. */
function withValue (kinds: Kinds, argument: string, next = '-'): string {
  const alone = argument.startsWith('--') && next.startsWith('-') ? kinds[argument.slice(2)]?.bareValue : undefined
  return alone === undefined ? argument : `${argument}=${alone}`
}

/** Returns a question that suggests the nearest known name; empty when there is none. */
export function suggestion (name: string, known: readonly string[], before: string, after = ''): string {
  const near = nearest(name, known)
  return near === undefined ? '' : `; did you mean ${before}${near}${after}?`
}

/** Returns the known name with nearly the same spelling or the same first words; undefined when there is none. */
export function nearest (name: string, known: readonly string[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replace(/[-_]/g, '')
  const isNear = (edits: number) => (other: string) => isWithin(edits, plain(name), plain(other))
  return known.find(isNear(1)) ??
    known.find(other => other.startsWith(`${name}-`) || name.startsWith(`${other}-`)) ??
    known.find(other => other.length > 6 && isNear(2)(other))
}

/** Returns whether at most so many missing, extra, changed or swapped letters turn one word into the other. */
function isWithin (edits: number, a: string, b: string): boolean {
  if (a === b) return true
  if (a[0] === b[0]) return isWithin(edits, a.slice(1), b.slice(1))
  if (edits === 0) return false
  const isSwapped = a.slice(0, 2) === [...b.slice(0, 2)].reverse().join('')
  return isWithin(edits - 1, a.slice(1), b) || isWithin(edits - 1, a, b.slice(1)) ||
    isWithin(edits - 1, a.slice(1), b.slice(1)) || (isSwapped && isWithin(edits - 1, a.slice(2), b.slice(2)))
}
