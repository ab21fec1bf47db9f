import { command, description } from '../package.ts'
import { flagOf, groups, type Setting, settingRows, type Settings, variablePrefix } from './settings.ts'
import { hang, wrap } from '../base/text.ts'

export type CommandHelp = { usage: string, help: string }

/** The command that the help is about, and the values that it gives to settings. */
type About = CommandHelp & { preset: Partial<Settings> }

/** Returns the width of a text in a terminal with so many columns; 0 if the terminal does not know them. */
const widthIn = (columns = 100) => Math.min(columns || 80, 100)

/**
 * Returns the text of `--help` for a terminal with so many columns: the commands, or one that serves, and the common
 * settings or all.
 */
export function helpText (
  commands: readonly CommandHelp[],
  showsAll: boolean,
  columns?: number,
  about?: About
): string {
  const width = widthIn(columns)
  const paragraph = (text: string) => wrap(text.split(' '), width)
  const lines = [`Usage: ${command} ${about?.usage ?? '[COMMAND] [SETTINGS]'}`, '']
  if (about === undefined) {
    lines.push(...paragraph(`${description}.`), '')
    lines.push(...paragraph(`Commands (the default is to serve; ${command} help COMMAND shows details):`))
    const usageWidth = widthOf(commands.map(({ usage }) => usage))
    for (const { usage, help } of commands) {
      lines.push(...hang(`  ${usage.padEnd(usageWidth)}  `, help.split(' '), width))
    }
  } else {
    const help = about.help.replace(/^./, letter => letter.toUpperCase())
    lines.push(...paragraph(`${help}. Flags and variables override these values.`))
  }
  lines.push(...settingLines(showsAll, about?.preset, width), '')
  if (!showsAll) lines.push('--help all lists all settings, --version prints the version.')
  lines.push(
    ...paragraph(`Each flag is also a variable: --rate-limit-v1 is ${variablePrefix}RATE_LIMIT_V1; ` +
      'PORT and HOST work without the prefix. Flags override variables. --simulate is short for --simulate on.'),
    ...paragraph('Exit codes: 0 done; 1 a check failed; 2 invalid arguments, or nothing could be reached or written.')
  )
  return lines.join('\n')
}

/** Returns a table of the common settings or all, with the values that a command gives them, by group. */
function settingLines (showsAll: boolean, preset: Partial<Settings> | undefined, width: number): string[] {
  const shown = settingRows.filter(([key, { isCommon }]) => showsAll || isCommon || preset?.[key] !== undefined)
  const flagWidth = widthOf(shown.map(([key]) => flagOf(key)))
  const valueOf = ([key, row]: [keyof Settings, Setting]) => {
    const value = preset?.[key]
    if (value === undefined) return defaultText(row)
    if (typeof value !== 'boolean') return String(value)
    return value ? 'on' : 'off'
  }
  const valueWidth = widthOf(shown.map(valueOf))
  const lines: string[] = []
  for (const [group, table] of Object.entries(groups)) {
    lines.push('', `${group}:`)
    for (const [key, row] of shown) {
      if (!(key in table)) continue
      const label = `  --${flagOf(key).padEnd(flagWidth)}  ${valueOf([key, row]).padEnd(valueWidth)}  `
      lines.push(...hang(label, `${row.help} (${row.expects})`.split(' '), width))
    }
  }
  return lines
}

/** Returns the default of a setting as the help and docs/reference/settings.md show it. */
export const defaultText = ({ displayDefault, default: value = '-' }: Setting): string => displayDefault ?? value

const widthOf = (cells: string[]) => Math.max(...cells.map(({ length }) => length))

/** Wraps the usage of a command for a terminal with so many columns: paragraphs, and flags with their descriptions. */
export function wrapUsage (usage: string, columns?: number): string {
  const width = widthIn(columns)
  const parts = usage.trim().split('\n\n').map(part => {
    const isTable = part.startsWith(' ')
    if (!isTable) return wrap(part.split(/\s/), width).join('\n')
    // The description of a flag follows at least two spaces; other lines stay.
    return part.replace(/^( +.+? {2,})(.*)$/gm, (_, flag: string, text: string) => {
      return hang(flag, text.split(' '), width).join('\n')
    })
  })
  return parts.join('\n\n')
}
