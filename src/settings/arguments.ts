import { readFlags, readValue, type Kinds } from './flags.ts'

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
  return { values: values as FlagValues<Own>, isOn: (name: string) => flags.has(name), rest }
}
