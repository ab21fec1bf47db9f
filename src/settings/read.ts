import { isDeepStrictEqual, parseArgs } from 'node:util'
import type { Kind } from './kinds.ts'
import { type Options, type Row, type Settings, defaultOf, settingsFrom, settingsTable } from './settings.ts'

/** Says in one line which setting is wrong and what would be right; of an issued token it has the id only. */
export class SettingsError extends Error {
  override name = 'SettingsError'

  constructor (message: string) {
    super(message.replace(/(bct_[\w-]{12})[\w-]+/g, '$1…'))
  }
}

/** Stands before the name of a variable that is meant for nobody else, and beats the bare name. */
export const variablePrefix = 'BICYCLE_CATALOGUE_'

/**
 * The settings that the command's arguments and the environment ask for, or the word of what else was asked for.
 * A flag beats its variable, the last of several flags counts, an empty variable is absent.
 * @throws {SettingsError} for the first thing that cannot be read
 */
export function readSettings (
  argv: string[], env: Record<string, string | undefined>, isTerminal: boolean
): Settings | 'help' | 'version' {
  const { flags, rest: [stray] } = readFlags(argv, Object.values(settingsTable), {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' }
  }, '--help')
  if (stray !== undefined) throw new SettingsError(`${JSON.stringify(stray)} belongs to no flag (--help lists the flags)`)
  for (const asked of ['help', 'version'] as const) if (flags.has(asked)) return asked
  return settingsFrom(row => {
    const flag = flags.get(row.flag)
    if (flag !== undefined) return readValue(row, `--${row.flag}`, flag)
    for (const variable of [variablePrefix + row.variable, row.variable]) {
      const text = env[variable]?.trim()
      if (text) return readValue(row, variable, text)
    }
    return defaultOf(row, isTerminal)
  })
}

/**
 * The settings that a program asks for; what it does not give is as `defaults` say, and otherwise as the command has it.
 * @throws {SettingsError} for the first option that is none, or whose value is not what it takes
 */
export function readOptions (options: Options, defaults: Partial<Settings>): Settings {
  const keys = Object.entries<Row>(settingsTable).filter(([, { ofCommand }]) => ofCommand === undefined).map(([key]) => key)
  for (const key of Object.keys(options)) {
    if (!keys.includes(key)) throw new SettingsError(`there is no setting ${JSON.stringify(key)}${suggestion(key, keys, '"', '"')}`)
  }
  const given: Record<string, unknown> = options
  const preset: Record<string, unknown> = defaults
  return settingsFrom((row, key) => given[key] === undefined ? preset[key] ?? defaultOf(row, false) : readOption(row, key, given[key]))
}

/** A value is right when its text reads as itself, or is text that stands for something: a path, an address to be tidied. */
function readOption (row: Row, key: string, value: unknown): unknown {
  if (Array.isArray(value) && value.length === 0) return undefined
  const text = textOf(value, row) + (typeof value === 'number' ? row.unit ?? '' : '')
  const read = row.read(text)
  const isText = typeof value === 'string' && (row.isPath || typeof read === 'string')
  if (isText || isDeepStrictEqual(read, value)) return readValue(row, key, text)
  throw new SettingsError(messageOf({ ...row, takes: row.asOption ?? row.takes }, key, typeof value === 'object' ? text : value))
}

function textOf (value: unknown, { separator }: Row): string {
  if (Array.isArray(value)) return value.join(separator)
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)
}

/** What a text means to a setting; `source` names the flag, variable or key in the error. */
export function readValue<T> (kind: Kind<T>, source: string, text: string): T {
  const value = kind.read(text)
  if (value === undefined) throw new SettingsError(messageOf(kind, source, text))
  return value
}

function messageOf ({ takes, secret, fault }: Kind<unknown>, source: string, value: unknown): string {
  const reason = typeof value === 'string' ? fault?.(value) : undefined
  return `${source} must be ${takes}${secret ? '' : `, got ${JSON.stringify(value)}`}${reason === undefined ? '' : `: ${reason}`}`
}

/** A flag that takes a value. */
type Flag = Pick<Row, 'flag' | 'takes' | 'alone'>

/** Flags that take no value. */
type Words = Readonly<Record<string, { type: 'boolean', short?: string }>>

/**
 * The flags among a command's arguments, each with the last of its values, '' where it takes none; and what belongs to no flag.
 * @param help what lists the flags
 * @throws {SettingsError} for the first flag that is none, lacks its value, or has one and takes none
 */
export function readFlags (
  argv: string[], rows: readonly Flag[], words: Words, help: string
): { flags: ReadonlyMap<string, string>, rest: string[] } {
  const flags = new Map<string, string>()
  const rest: string[] = []
  const known = [...rows.map(({ flag }) => flag), ...Object.keys(words)]
  for (const token of parse(argv, rows, words)) {
    if (token.kind === 'positional') rest.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const row = rows.find(row => row.flag === name)
    if (row === undefined && !known.includes(name)) {
      const guess = rawName.startsWith('--') ? suggestion(name, known, '--') : ''
      throw new SettingsError(`unknown flag ${rawName}${guess} (${help} lists them)`)
    }
    if (row === undefined && value !== undefined) throw new SettingsError(`${rawName} takes no value`)
    if (row !== undefined && (value === undefined || (!inlineValue && isFlag(value)))) {
      throw new SettingsError(`${rawName} needs a value: ${row.takes}`)
    }
    flags.set(name, value ?? '')
  }
  return { flags, rest }
}

/** Tells a flag from a value that begins with a dash, such as -1 or the id of a token. */
const isFlag = (text: string) => /^--|^-[a-z]$/i.test(text)

function parse (argv: string[], rows: readonly Flag[], words: Words) {
  const options = Object.fromEntries(rows.map(row => [row.flag, { type: 'string' as const }]))
  return parseArgs({
    args: argv.map((argument, index) => withValue(rows, argument, argv[index + 1])),
    options: { ...options, ...words },
    strict: false, // its own errors name neither what would be right nor the flag that was meant
    allowPositionals: true,
    tokens: true
  }).tokens
}

/** A flag with the value that it has when it stands alone: at the end, or before another flag. */
function withValue (rows: readonly Flag[], argument: string, next = '-'): string {
  const alone = next.startsWith('-') ? rows.find(({ flag }) => argument === `--${flag}`)?.alone : undefined
  return alone === undefined ? argument : `${argument}=${alone}`
}

function suggestion (name: string, known: readonly string[], before: string, after = ''): string {
  const near = nearest(name, known)
  return near === undefined ? '' : `; did you mean ${before}${near}${after}?`
}

/** The known name that was most likely meant: spelt nearly so, or with some of its words; undefined when none is near. */
function nearest (name: string, known: readonly string[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replace(/[-_]/g, '')
  const isNear = (edits: number) => (other: string) => isWithin(edits, plain(name), plain(other))
  return known.find(isNear(1)) ??
    known.find(other => other.startsWith(`${name}-`) || name.startsWith(`${other}-`)) ??
    known.find(other => other.length > 6 && isNear(2)(other))
}

/** Tells whether so many missing, extra, changed or swapped letters make one word of the other. */
export function isWithin (edits: number, a: string, b: string): boolean {
  if (a === b) return true
  if (a[0] === b[0]) return isWithin(edits, a.slice(1), b.slice(1))
  if (edits === 0) return false
  const isSwapped = a.slice(0, 2) === [...b.slice(0, 2)].reverse().join('')
  return isWithin(edits - 1, a.slice(1), b) || isWithin(edits - 1, a, b.slice(1)) ||
    isWithin(edits - 1, a.slice(1), b.slice(1)) || (isSwapped && isWithin(edits - 1, a.slice(2), b.slice(2)))
}
