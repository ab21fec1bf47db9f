import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { codes } from '../../src/simulation/codes.ts'
import { preferenceNames, preferences } from '../../src/simulation/preferences.ts'
import { readSettings } from '../../src/settings/read.ts'
import { simulated } from './simulated.ts'

const [, section = ''] = /## Mock backend\n([^]*?)\n## /.exec(readFileSync('README.md', 'utf8')) ?? []
const rows = [...section.matchAll(/^\| `([\w-]+)`.* \| `(curl .*)` \| `(.*)`.* \|$/gm)]

const run = (command: string) => new Promise<string>(resolve => execFile('sh', ['-c', command], (_, stdout, stderr) => resolve(stdout + stderr)))

test('every command of the README\'s table gets the answer beside it', async t => {
  t.same(rows.map(([, name]) => name), preferenceNames)
  const { app } = await simulated(t)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const [, , command = '', answer = ''] of rows) {
    const said = await run(command.replace('curl', 'curl -sS').replace('http://127.0.0.1:3000', origin))
    t.equal(said.trim(), answer, command)
  }
})

test('the README names every code and every word', async t => {
  t.match(section, `The codes are ${codes.join(', ').replace(/, (?=\d+$)/, ' and ')};`)
  for (const name of ['example', 'fault'] as const) for (const word of preferences[name].values.keys()) t.match(section, `\`${word}\``)
})

test('the commands of the README that start a server are right', async t => {
  const commands = [...section.matchAll(/npm start -- (--[^`\n]*)/g)].map(([, flags = '']) => readSettings(flags.split(' '), {}, false))
  t.match(commands, [{ simulate: true }, { simulate: true, delay: [100, 500], failureRate: 0.1, seed: 7 }])
})
