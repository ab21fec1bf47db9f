import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { preferenceNames } from '../../src/http/prefer.ts'
import { examples } from '../../src/simulation/examples.ts'
import { codes, faults } from '../../src/simulation/faults.ts'
import { simulated } from './simulated.ts'

const page = readFileSync('docs/reference/simulation.md', 'utf8')
const rows = [...page.matchAll(/^\| `([\w-]+)`.* \| `(curl .*)` \| `(.*)`.* \|$/gm)]

const run = (command: string) => new Promise<string>(resolve => execFile('sh', ['-c', command], (_, stdout, stderr) => resolve(stdout + stderr)))

test('every command of docs/reference/simulation.md gets the response beside it', async t => {
  t.same(rows.map(([, name]) => name), preferenceNames)
  const { app } = await simulated(t)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const [, , command = '', answer = ''] of rows) {
    const said = await run(command.replace('curl', 'curl -sS').replace('http://localhost:3000', origin))
    t.equal(said.trim(), answer, command)
  }
})

test('docs/reference/simulation.md names every code, example and fault', async t => {
  t.match(page, Object.keys(codes).join(', ').replace(/, (?=\d+$)/, ' or '))
  for (const word of [...Object.keys(examples), ...Object.keys(faults)]) t.match(page, `\`${word}\``, word)
})
