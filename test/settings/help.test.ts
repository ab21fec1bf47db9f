import { test } from 'tap'
import { defaultText, helpText, wrapUsage } from '../../src/settings/help.ts'
import { flagOf, type Setting, settingRows } from '../../src/settings/settings.ts'

const commands = [
  { usage: 'init DIR', help: 'copies the data' },
  { usage: 'verify URL [FLAGS]', help: 'checks a server' }
]
const rowOf = (key: string, row: Setting) => `--${flagOf(key)} ${defaultText(row)} ${row.help} (${row.expects})`
const words = (text: string) => text.replaceAll(/\s+/g, ' ')

test('--help all has every setting by purpose, with its default', async t => {
  const text = words(helpText(commands, true))
  for (const [key, row] of settingRows) t.ok(text.includes(` ${rowOf(key, row)} `), key)
  t.match(text, /Serve: .*Data: .*Clients: .*Mock: .*Operate: /)
  t.match(text, ' init DIR copies the data verify URL [FLAGS] checks a server ')
})

test('no line of the help is longer than 100 columns, or ends with a space', async t => {
  for (const showsAll of [true, false]) {
    for (const columns of [0, 60, 80, 100, 120, undefined]) {
      const most = Math.min(columns ?? 100, 100) || 80
      const text = helpText(commands, showsAll, columns)
      if (columns === 0) t.equal(text, helpText(commands, showsAll, 80), 'a terminal that does not know its columns')
      for (const line of text.split('\n')) {
        const isUrl = !line.trim().includes(' ') // which is not broken
        t.ok((line.length <= most || isUrl) && line === line.trimEnd(), line)
      }
    }
  }
})

test('the help of a command that serves tells of it, and shows the values that it sets', async t => {
  const preset = { simulate: true, rateLimit: false, logFormat: 'text' } as const
  const dev = { usage: 'dev [SETTINGS]', help: 'serves for development', preset }
  const text = words(helpText(commands, false, 80, dev))
  const about = 'Serves for development\\. Flags and variables override these values\\.'
  t.match(text, new RegExp(`^Usage: npm start -- dev \\[SETTINGS\\] ${about} Serve:`))
  t.match(text, ' --simulate on let clients')
  t.match(text, ' --rate-limit off limit requests')
  t.match(text, ' --log-format text ')
})

test('the usage of a command fits the terminal', async t => {
  const usage = [
    'Usage: run DIR', '', 'Reads DIR and', 'says what is in it.', '',
    '  --flag N     one flag with a text', '  --other      another', ''
  ].join('\n')
  t.equal(wrapUsage(usage), [
    'Usage: run DIR', '', 'Reads DIR and says what is in it.', '',
    '  --flag N     one flag with a text', '  --other      another'
  ].join('\n'))
  t.equal(wrapUsage(usage, 0), wrapUsage(usage, 80), 'a terminal that does not know its width')
  t.equal(wrapUsage(usage, 32), [
    'Usage: run DIR', '', 'Reads DIR and says what is in', 'it.', '',
    '  --flag N     one flag with a', '               text', '  --other      another'
  ].join('\n'))
})
