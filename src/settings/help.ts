import { description, name } from '../package.ts'
import { variablePrefix } from './read.ts'
import { type Row, settingsTable } from './settings.ts'

const width = 100
const gap = '  '

/** What `--help` prints: usage, one row for each setting, examples; no line is longer than 100 columns. */
export function helpText (): string {
  const lines = [
    { flag: 'Flag', variable: 'Variable', value: 'Default', help: 'What it sets (what it takes)' },
    ...Object.values<Row>(settingsTable).map(line),
    { flag: '--help, -h', variable: '', value: '', help: 'prints this' },
    { flag: '--version, -v', variable: '', value: '', help: 'prints the version' }
  ]
  const widest = (column: 'flag' | 'variable' | 'value') => Math.max(...lines.map(line => line[column].length))
  const [flags, variables, values] = [widest('flag'), widest('variable'), widest('value')]
  const table = lines.flatMap(({ flag, variable, value, help }) => {
    const start = ['', flag.padEnd(flags), variable.padEnd(variables), value.padEnd(values), ''].join(gap)
    const [first, ...rest] = wrap(help.split(' '), width - start.length)
    return [`${start}${first}`, ...rest.map(text => ' '.repeat(start.length) + text)]
  })
  return [
    `Usage: ${name} [settings]`,
    `       ${name} init DIR              copies the data, to be edited`,
    `       ${name} verify URL [flags]    checks any server against the contract`,
    `       ${name} healthcheck [URL]     exits with 0 when the server at URL is ready, else 1`,
    '',
    ...wrap(`${description}.`.split(' '), width),
    '',
    ...table,
    '',
    ...wrap((`A flag beats its variable. ${variablePrefix}PORT and so on beat PORT. ` +
      'A flag that takes on or off means on when it stands alone.').split(' '), width),
    '',
    'Examples:',
    '',
    `${gap}${name} --port 8080 --host 0.0.0.0`,
    `${gap}DATA_DIR=./my-bikes ${name} --paginate always`
  ].join('\n')
}

function line (row: Row) {
  const inTerminal = row.inTerminal ? `; ${row.inTerminal} in a terminal` : ''
  return {
    flag: `--${row.flag}`,
    variable: row.variable,
    value: row.shown ?? row.default ?? 'none',
    help: `${row.help}${inTerminal} (${row.takes})`
  }
}

/** Sets words in lines of at most so many columns; a longer word has a line of its own. */
export function wrap (words: string[], columns: number): string[] {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
    if (line.length <= columns) lines[lines.length - 1] = line
    else lines.push(word)
  }
  return lines
}
