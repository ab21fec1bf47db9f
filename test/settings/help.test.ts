import { test } from 'tap'
import { defaultText, helpText, wrapUsage } from '../../src/settings/help.ts'
import { flagOf, type Setting, settingRows } from '../../src/settings/settings.ts'

const commands = [{ usage: 'init DIR', help: 'copies the data' }, { usage: 'verify URL [FLAGS]', help: 'checks a server' }]
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
      if (columns === 0) t.equal(helpText(commands, showsAll, 0), helpText(commands, showsAll, 80), 'a terminal that does not know its columns')
      for (const line of helpText(commands, showsAll, columns).split('\n')) t.ok((line.length <= most || !line.trim().includes(' ')) && line === line.trimEnd(), line) // a URL is not broken
    }
  }
})

test('the help of a command that serves tells of it, and shows the values that it sets', async t => {
  const text = words(helpText(commands, false, 80, { usage: 'dev [SETTINGS]', help: 'serves for development', preset: { simulate: true, rateLimit: false, logFormat: 'text' } }))
  t.match(text, /^Usage: npm start -- dev \[SETTINGS\] Serves for development. Flags and variables override these values\. Serve:/)
  t.match(text, ' --simulate on let clients')
  t.match(text, ' --rate-limit off limit requests')
  t.match(text, ' --log-format text ')
})

test('the usage of a command fits the terminal', async t => {
  const usage = 'Usage: run DIR\n\nReads DIR and\nsays what is in it.\n\n  --flag N     one flag with a text\n  --other      another\n'
  t.equal(wrapUsage(usage), 'Usage: run DIR\n\nReads DIR and says what is in it.\n\n  --flag N     one flag with a text\n  --other      another')
  t.equal(wrapUsage(usage, 0), wrapUsage(usage, 80), 'a terminal that does not know its width')
  t.equal(wrapUsage(usage, 32), 'Usage: run DIR\n\nReads DIR and says what is in\nit.\n\n  --flag N     one flag with a\n               text\n  --other      another')
})
