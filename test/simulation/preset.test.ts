import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { CatalogueErrors } from '../../src/catalogue/errors/error.ts'
import { readOptions } from '../../src/settings/read.ts'
import { readRules } from '../../src/simulation/control.ts'
import type { Rule } from '../../src/start.ts'
import { booted } from '../helper.ts'

const path = '/api/v1/saddles/'

const invalidFiles: readonly [text: string, ...lines: (string | RegExp)[]][] = [
  [`[{"path": "${path}", "code": 503, "code": 500}]`, 'rules.json:1:44 [0].code must occur only once in its object'],
  ['[{,', 'rules.json:1:3 expected a value, got ,'],
  ['{}', 'rules.json:1:1 must be an array of rules such as [{"path": "/media/*", "code": 503}]'],
  [
    '[\n  5,\n  {"code": 404}]', /^rules\.json:2:3 rules\[0\]: Must be an object such as /,
    'rules.json:3:3 rules[1].path: This field is required.'
  ],
  [
    `[{"path": "${path}"},\n{"path": "/api/v1/saddle/", "tims": 1, "delay": "5-1", "code": 429, "retryAfter": 0}]`,
    'rules.json:2:10 rules[1].path: ' + `Applies to no request: no list has this path; did you mean ${path}?`,
    /^rules\.json:2:37 rules\[1\]\.tims: Unknown field\. The fields are: name, enabled, method, path, /,
    'rules.json:2:49 rules[1].delay: ' +
      'Must be milliseconds, such as 500 or 100-2000, up to 60000, or {"median": 200, "p99": 2000}.',
    'rules.json:2:83 rules[1].retryAfter: Must be an integer from 1 to 3600.'
  ]
]

test('an invalid file of rules: every error has its line and column, in the order of the text', async t => {
  for (const [text, ...lines] of invalidFiles) {
    try {
      readRules({ file: 'rules.json', text }, 1)
      t.fail(text)
    } catch (error) {
      t.ok(error instanceof CatalogueErrors, text)
      t.match((error as Error).message.split('\n'), lines, text)
    }
  }
})

test('invalid rules of a program are a SettingsError that names their fields', async t => {
  const body = Array.from({ length: 9_000 }).reduce<unknown>(inner => [inner], [])
  t.throws(() => readRules([{ path }, { path, times: 0 }], 1), {
    name: 'SettingsError', message: 'invalid rule: rules[1].times: Must be an integer from 1 to 1000000.'
  })
  t.throws(() => readRules([{ path, body }], 1), {
    message: /^invalid rule: rules\[0\]: The rule\.body.* may be circular\.$/
  })
})

test('of many invalid rules, the first hundred errors are told', async t => {
  const text = JSON.stringify(Array(1000).fill({}))
  t.throws(() => readRules({ file: 'rules.json', text }, 1), { message: /rules\[99\]\.path: (?!.*rules\[100\])/s })
})

/** Serves with settings of a program, and collects the log. */
async function serve (t: Test, options: Parameters<typeof readOptions>[0]) {
  const read = () => readOptions({ simulate: true, rateLimit: false, ...options }, { host: '127.0.0.1', port: 0 })
  const { server, said } = await booted(t, read(), read)
  return { server, said, statusOf: async () => (await server.app.inject(path)).statusCode }
}

/** A file of rules. */
function fileOf (t: Test, ...rules: Rule[]) {
  const file = join(t.testdir(), 'rules.json')
  const write = (...rules: unknown[]) => writeFileSync(file, `\ufeff${JSON.stringify(rules)}`)
  write(...rules)
  return { file, write }
}

test('rules of a file apply from the start; a reload reads them again, and other rules override them', async t => {
  const { file, write } = fileOf(t, { path, code: 503 }, { path, code: 404, times: 1 })
  const { server, said, statusOf } = await serve(t, { rules: file })
  t.same([await statusOf(), await statusOf()], [404, 503])
  await server.reload()
  t.same(
    [said.at(-2), await statusOf()],
    ['reloaded: the rules', 503],
    'an unchanged file leaves its rules as they are'
  )
  server.simulate({ path, code: 401, times: 1 })
  write({ path, code: 500 })
  await server.reload()
  t.same([await statusOf(), await statusOf()], [401, 500])

  write({ path, code: 1 })
  await server.reload()
  t.match(said.slice(-3), [
    /rules\.json:1:36 rules\[0\]\.code: Must be 400/,
    /^the files could not be reloaded; keeping the last .* rules$/, /^the data was/
  ])
  t.equal(await statusOf(), 500)
  rmSync(file)
  await server.reload()
  t.match(said.at(-3), /^rules: .* is missing$/)
  server.reset()
  t.equal(await statusOf(), 500, 'a reset leads back to them')
  write({ path, code: 502 })
  await server.reload()
  t.equal(await statusOf(), 502)
})

test('with watch, a changed file of rules is read again', async t => {
  const { file, write } = fileOf(t, { path, code: 503 })
  const { statusOf } = await serve(t, { rules: file, watch: true })
  t.equal(await statusOf(), 503)
  write({ path, code: 404 })
  while (await statusOf() !== 404) await new Promise(resolve => setTimeout(resolve, 20)) // tap's timeout ends it
})

test('rules of a program apply from the start, and stay over a reload; undefined is no value', async t => {
  const rule: Rule = { path, method: undefined, code: 503, times: 2, when: undefined }
  const { server, said, statusOf } = await serve(t, { rules: [rule] })
  t.equal(await statusOf(), 503)
  await server.reload()
  t.notMatch(said.join('\n'), 'the rules')
  t.same([await statusOf(), await statusOf()], [503, 200])
  const added = server.simulate({ path, code: 404, delay: undefined })
  t.same(added, { id: 2, path, code: 404, used: 0 })
})

test('after a reset, a rule applies to the same share of the requests', async t => {
  const { server, statusOf } = await serve(t, { rules: [{ path, code: 503, probability: 0.5 }] })
  const run = async () => {
    const statuses: number[] = []
    for (let count = 0; count < 20; count++) statuses.push(await statusOf())
    return statuses
  }
  const first = await run()
  server.reset()
  t.same(await run(), first)
  t.equal(new Set(first).size, 2)
})

const invalidSettings: readonly [read: () => unknown, message: string | RegExp][] = [
  [() => readOptions({ rules: [{ path }] }, {}), 'rules needs simulate'],
  [() => readOptions({ simulate: true, rules: 5 as never }, {}), 'rules: 5 is missing'],
  [() => readOptions({ simulate: true, rules: { path } as never }, {}), /^rules must be a file, or an array of rules /]
]

test('--rules needs a file, and --simulate', async t => {
  for (const [read, message] of invalidSettings) t.throws(read, { name: 'SettingsError', message })
  t.throws(
    () => readOptions({ simulate: true, rules: join(t.testdir({ empty: ' ' }), 'empty') }, {}),
    { message: /^rules: .*empty is empty$/ }
  )
})
