import { command, description } from '../package.ts'
import { flagOf, groups, type Setting, rows, type Settings, variablePrefix } from './settings.ts'
import { hang, wrap } from '../base/text.ts'

export type CommandHelp = { usage: string, help: string }

/** The command that the help is about, and the values that it gives to settings. */
type About = CommandHelp & { preset: Partial<Settings> }

/** Returns the text of `--help` for a terminal of so many columns: commands, or one that serves, and the common settings or all. */
export function helpText (commands: readonly CommandHelp[], showsAll: boolean, columns = 100, about?: About): string {
  const width = Math.min(columns || 80, 100)
  const shown = rows.filter(([, { isCommon }]) => showsAll || isCommon).map(([key, row]) => {
    const value = about?.preset[key]
    const text = value === undefined ? defaultText(row) : presetText(value)
    return { key, flag: `--${flagOf(key)}`, value: text, help: `${row.help} (${row.expects})` }
  })
  const [flagWidth, valueWidth] = [widthOf(shown.map(({ flag }) => flag)), widthOf(shown.map(({ value }) => value))]
  const usageWidth = widthOf(commands.map(({ usage }) => usage))
  return [
    `Usage: ${command} ${about?.usage ?? '[COMMAND] [SETTINGS]'}`,
    '',
    ...about === undefined
      ? [
          ...wrap(`${description}.`.split(' '), width),
          '',
          ...wrap('Commands (without one, it serves; COMMAND --help has the details):'.split(' '), width),
          ...commands.flatMap(({ usage, help }) => hang(`  ${usage.padEnd(usageWidth)}  `, help.split(' '), width))
        ]
      : wrap(`It ${about.help}. Flags and variables override these values.`.split(' '), width),
    ...Object.entries(groups).flatMap(([group, table]) => [
      '',
      `${group}:`,
      ...shown.filter(({ key }) => key in table)
        .flatMap(({ flag, value, help }) => hang(`  ${flag.padEnd(flagWidth)}  ${value.padEnd(valueWidth)}  `, help.split(' '), width))
    ]),
    '',
    ...showsAll ? [] : ['--help all lists all settings, --version prints the version.'],
    ...wrap((`Each flag is also a variable: --rate-limit-v1 is ${variablePrefix}RATE_LIMIT_V1; PORT and HOST work without the prefix. ` +
      'Flags override variables. --simulate is short for --simulate on.').split(' '), width),
    ...wrap('Exit codes: 0 done; 1 a check failed; 2 invalid arguments, or nothing could be reached or written.'.split(' '), width)
  ].join('\n')
}

/** Returns the default of a setting as the help and docs/reference/settings.md show it. */
export const defaultText = ({ displayDefault, default: value = '-' }: Setting): string => displayDefault ?? value

function presetText (value: Settings[keyof Settings]): string {
  if (typeof value !== 'boolean') return String(value)
  return value ? 'on' : 'off'
}

const widthOf = (cells: string[]) => Math.max(...cells.map(({ length }) => length))

/** Wraps the usage of a command for a terminal of so many columns: paragraphs, and lines of a flag with its description. */
export function wrapUsage (usage: string, columns = 100): string {
  const width = Math.min(columns || 80, 100)
  return usage.trim().split('\n\n').map(part => {
    if (!part.startsWith(' ')) return wrap(part.split(/\s/), width).join('\n')
    return part.replace(/^( +.+? {2,})(.*)$/gm, (_, flag: string, text: string) => hang(flag, text.split(' '), width).join('\n'))
  }).join('\n\n')
}
