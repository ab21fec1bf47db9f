import { test } from 'tap'
import { defaultText, helpText, wrap } from '../../src/settings/help.ts'
import { flagOf, type Row, settingsTable } from '../../src/settings/settings.ts'

const commands = [{ usage: 'init DIR', help: 'copies the data' }, { usage: 'verify URL [FLAGS]', help: 'checks a server' }]
const rows = Object.entries<Row>(settingsTable)
const rowOf = (key: string, row: Row) => `--${flagOf(key)} ${defaultText(row)} ${row.help} (${row.takes})`
const words = (text: string) => text.replaceAll(/\s+/g, ' ')

test('--help all has every setting by purpose, with its default', async t => {
  const text = words(helpText(commands, true))
  for (const [key, row] of rows) t.ok(text.includes(` ${rowOf(key, row)} `), key)
  t.match(text, /Serve: .*Data: .*Clients: .*Mock: .*Operate: /)
  t.match(text, ' init DIR copies the data verify URL [FLAGS] checks a server ')
})

test('--help has twelve settings, and names --help all', async t => {
  const text = words(helpText(commands, false))
  const shown = rows.filter(([key, row]) => text.includes(rowOf(key, row))).map(([key]) => flagOf(key))
  t.same(shown, [
    'port', 'host', 'data', 'overlay', 'watch', 'paginate', 'rate-limit', 'tokens', 'simulate', 'delay', 'failure-rate', 'log-requests'
  ])
  t.match(text, '--help all lists all settings.')
})

test('no line of the help is longer than 100 columns, or ends with a space', async t => {
  for (const showsAll of [true, false]) {
    for (const line of helpText(commands, showsAll).split('\n')) t.ok(line.length <= 100 && line === line.trimEnd(), line)
  }
})

for (const { text, columns, expected } of [
  { text: '', columns: 5, expected: [''] },
  { text: 'one two three', columns: 7, expected: ['one two', 'three'] },
  { text: 'one two three', columns: 13, expected: ['one two three'] },
  { text: 'a longer-word b', columns: 4, expected: ['a', 'longer-word', 'b'] }
]) {
  test(`wrap ${JSON.stringify(text)} at ${columns}`, async t => {
    t.strictSame(wrap(text.split(' '), columns), expected)
  })
}
