import { test } from 'tap'
import { helpText, wrap } from '../../src/settings/help.ts'
import { type Row, settingsTable } from '../../src/settings/settings.ts'

test('the help has every setting, with its variable and its default', async t => {
  const words = helpText().replaceAll(/\s+/g, ' ')
  for (const { flag, variable, default: text = 'none', shown = text, help, takes } of Object.values<Row>(settingsTable)) {
    const row = words.split(`--${flag} `)[1] ?? ''
    t.ok(row.startsWith(`${variable} ${shown} `), flag)
    t.match(words, help)
    t.match(words, `(${takes})`)
  }
  for (const usage of ['Usage: bicycle-catalogue [settings]', 'bicycle-catalogue init DIR', 'bicycle-catalogue verify URL', 'bicycle-catalogue healthcheck [URL]']) t.match(words, usage)
  t.match(words, '; on in a terminal (on or off)')
})

test('no line of the help is longer than 100 columns, or ends with a space', async t => {
  for (const line of helpText().split('\n')) t.ok(line.length <= 100 && line === line.trimEnd(), line)
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
