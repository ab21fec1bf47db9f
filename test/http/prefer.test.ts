import type { FastifyRequest } from 'fastify'
import fc from 'fast-check'
import { test } from 'tap'
import { preferenceNames, readPreferences, simulationWarning } from '../../src/http/prefer.ts'

const cases: [header: string, preferences: Record<string, string>][] = [
  ['handling=strict', { handling: 'strict' }], ['Handling = strict', { handling: 'strict' }],
  ['respond-async, wait=100', { 'respond-async': '', wait: '100' }],
  ['respond-async; wait=100', { 'respond-async': '' }],
  ['a="b"', { a: 'b' }],
  ['a=""', { a: '' }],
  ['a="b, c; d", e=f', { a: 'b, c; d', e: 'f' }],
  ['a="say \\"b\\" \\\\"', { a: 'say "b" \\' }],
  ['a=1, A=2, a=3', { a: '1' }],
  ['a; x="b, c=d", e', { a: '', e: '' }],
  ['a=b;;c;d=e', { a: 'b' }],
  ['a=b ;', { a: 'b' }],
  [' , ,a,, b=1,\t', { a: '', b: '1' }], ['', {}], ['=b, a==b, a b, "a", a="b"c, ok', { ok: '' }],
  ['a="b', {}], ['a="b\\', {}], ['a=é, ok', { ok: '' }],
  ['__proto__=1, constructor', { ['__proto__']: '1', constructor: '' }]
]

test('preferences are read by the grammar of RFC 7240', async t => {
  for (const [header, preferences] of cases) t.same([...readPreferences(header)], Object.entries(preferences), header)
})

test('a warning names each preference that needs --simulate', async t => {
  const warningOf = (prefer?: string, url = '/') => {
    return simulationWarning({ headers: { prefer }, url } as unknown as FastifyRequest)
  }
  for (const name of preferenceNames) {
    t.equal(warningOf(`wait=1, ${name}=2`), `Ignored "Prefer: ${name}=". Start with --simulate to enable it.`, name)
    const warning = `Ignored "__${name}=". Start with --simulate to enable it.`
    t.equal(warningOf(undefined, `/?page=1&__${name}=2`), warning, name)
  }
  t.equal(warningOf(undefined, '/?__other=1'), undefined)
  t.equal(warningOf('handling=strict'), undefined)
})

test('quoted values are read unchanged', async () => {
  fc.assert(fc.property(fc.array(fc.string()), values => {
    const header = values.map((value, index) => `p${index}="${value.replace(/["\\]/g, '\\$&')}"`).join(', ')
    return JSON.stringify([...readPreferences(header).values()]) === JSON.stringify(values)
  }))
})
