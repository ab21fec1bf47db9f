import { parseArgs } from 'node:util'
import { type Row, type Settings, defaultOf, settingsFrom, settingsTable } from './settings.ts'

/** Says in one line which setting is wrong and what would be right. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

const rows: Row[] = Object.values(settingsTable)
const names = [...rows.map(row => row.flag), 'help', 'version']

/**
 * Gives the settings that the command's arguments and the environment ask for, or the word of what else was asked for.
 * A flag beats its variable, the last of several flags counts, an empty variable is absent.
 * @throws {SettingsError} for the first thing that cannot be read
 */
export function readSettings (
  argv: string[], env: Record<string, string | undefined>, isTerminal: boolean
): Settings | 'help' | 'version' {
  const flags = readFlags(argv)
  for (const asked of ['help', 'version'] as const) if (flags.has(asked)) return asked
  return settingsFrom(row => {
    const flag = flags.get(row.flag)
    if (flag !== undefined) return readValue(row, `--${row.flag}`, flag)
    const variable = env[row.variable]?.trim()
    return variable ? readValue(row, row.variable, variable) : defaultOf(row, isTerminal)
  })
}

/** Gives what a text means to a setting; `source` names the flag or variable in the error. */
export function readValue (row: Row, source: string, text: string): unknown {
  const value = row.read(text)
  if (value !== undefined) return value
  throw new SettingsError(`${source} must be ${row.takes}${row.secret ? '' : `, got ${JSON.stringify(text)}`}`)
}

function readFlags (argv: string[]): Map<string, string> {
  const flags = new Map<string, string>()
  for (const token of tokensOf(argv)) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional') {
      throw new SettingsError(`${JSON.stringify(token.value)} belongs to no flag (--help lists the flags)`)
    }
    const { name, rawName, value, inlineValue } = token
    const row = rows.find(row => row.flag === name)
    if (row === undefined && !names.includes(name)) {
      const near = rawName.startsWith('--') ? nearest(name.toLowerCase()) : undefined
      throw new SettingsError(`unknown flag ${rawName}${near ? `; did you mean --${near}?` : ''} (--help lists them)`)
    }
    if (row === undefined && value !== undefined) throw new SettingsError(`${rawName} takes no value`)
    if (row !== undefined && (value === undefined || (!inlineValue && value.startsWith('-')))) {
      throw new SettingsError(`${rawName} needs a value: ${row.takes}`)
    }
    flags.set(name, value ?? '')
  }
  return flags
}

function tokensOf (args: string[]) {
  const options = Object.fromEntries(rows.map(row => [row.flag, { type: 'string' as const }]))
  return parseArgs({
    args,
    options: { ...options, help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } },
    strict: false, // its own errors name neither what would be right nor the flag that was meant
    allowPositionals: true,
    tokens: true
  }).tokens
}

function nearest (name: string): string | undefined {
  return names.find(known => isWithin(1, name, known)) ??
    names.find(known => name !== '' && (known.startsWith(name) || name.startsWith(`${known}-`))) ??
    names.find(known => isWithin(2, name, known))
}

/** Tells whether so many missing, extra, changed or swapped letters make one word of the other. */
function isWithin (edits: number, a: string, b: string): boolean {
  if (a === b) return true
  if (a[0] === b[0]) return isWithin(edits, a.slice(1), b.slice(1))
  if (edits === 0) return false
  const isSwapped = a.slice(0, 2) === [...b.slice(0, 2)].reverse().join('')
  return isWithin(edits - 1, a.slice(1), b) || isWithin(edits - 1, a, b.slice(1)) ||
    isWithin(edits - 1, a.slice(1), b.slice(1)) || (isSwapped && isWithin(edits - 1, a.slice(2), b.slice(2)))
}
