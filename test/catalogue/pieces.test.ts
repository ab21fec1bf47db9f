import assert from 'node:assert/strict'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { readInPieces, type Pieces } from '../../src/catalogue/pieces.ts'
import { nowhere, scan } from '../../src/catalogue/scan.ts'

/** Reads a text in pieces, and the bytes that were shown while it was read. */
async function read (path: string, text: string | Buffer, accepts = (_: readonly unknown[]) => true): Promise<{ pieces: Pieces | undefined, seen: Buffer }> {
  await writeFile(path, text)
  const file = await open(path)
  const seen: Buffer[] = []
  const pieces = await readInPieces(file, { bytes: bytes => seen.push(Buffer.from(bytes)), accepts })
  await file.close()
  return { pieces, seen: Buffer.concat(seen) }
}

/** Whether a whole text has nothing that readInPieces refuses. */
function isOrdinary (text: string): boolean {
  try {
    return scan(text, nowhere()).length === 0
  } catch {
    return false
  }
}

test('a file in pieces is what JSON.parse makes of it, or is refused', async t => {
  const path = join(t.testdir(), 'file.json')
  const list = fc.record({ version: fc.nat(), list: fc.array(fc.jsonValue({ maxDepth: 3 })), after: fc.string() })
  const texts = fc.tuple(list, fc.constantFrom('', ' ', '\t')).map(([value, indent]) => JSON.stringify(value, null, indent))
  const damaged = fc.tuple(texts, fc.nat(), fc.nat(2), fc.constantFrom('', ',', '"', '{', ']', '\\', '"version":1,', '\\ud800', ':'))
    .map(([text, at, cut, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice(at % (text.length + 1) + cut))
  await fc.assert(fc.asyncProperty(fc.oneof(texts, damaged), async text => {
    const { pieces } = await read(path, text)
    if (pieces === undefined) return
    assert.ok(isOrdinary(text), 'what is out of the ordinary is refused')
    const { items, content } = pieces
    const whole = JSON.parse(text) as Record<string, unknown>
    const [name] = Object.entries(whole).find(([, value]) => Array.isArray(value)) ?? ['']
    assert.deepEqual(name === '' ? content : { ...content as object, [name]: items }, whole)
  }), { numRuns: 300 })
})

test('a name that stands twice is found wherever it stands', async t => {
  const path = join(t.testdir(), 'file.json')
  await fc.assert(fc.asyncProperty(fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 4 }), { minLength: 1 }), fc.nat(), async (records, at) => {
    const text = JSON.stringify({ records })
    const found = [...text.matchAll(/"(?:[^"\\]|\\.)*"|\{(?=")/g)] // strings too, so that a brace within one is none
    const objects = found.filter(([lexeme]) => lexeme === '{').map(({ index }) => index + 1)
    const place = objects[at % objects.length] as number
    const name = /^"(?:[^"\\]|\\.)*":/.exec(text.slice(place))?.[0] ?? ''
    const doubled = `${text.slice(0, place)}${name}null,${text.slice(place)}`
    if (!isOrdinary(text)) return
    assert.notEqual((await read(path, text)).pieces, undefined)
    assert.equal((await read(path, doubled)).pieces, undefined)
    assert.deepEqual(scan(doubled, nowhere()).map(({ offset, rule }) => [offset, rule]), [[place + name.length + 'null,'.length, 'repeated']])
  }), { numRuns: 50 })
})

test('records of many pieces, and some that are larger than one', async t => {
  const path = join(t.testdir(), 'file.json')
  const list = Array.from({ length: 2000 }, (_, id) => ({ id, text: 'é'.repeat(id % 7 === 0 ? 500 : 3) }))
  list.push({ id: 2000, text: 'x'.repeat(2 ** 20) })
  const text = JSON.stringify({ version: 1, list })
  const lengths: number[] = []
  const { pieces, seen } = await read(path, text, some => lengths.push(JSON.stringify(some.slice(1)).length) > 0)
  t.strictSame(pieces, { items: list, content: { version: 1, list: [] } })
  t.ok(seen.equals(Buffer.from(text)))
  t.ok(lengths.length > 5 && Math.max(...lengths) < 2 ** 16, 'some at a time, and one that is larger alone')
})

test('a fault far from the beginning of a list is found', async t => {
  const path = join(t.testdir(), 'file.json')
  const records = Array.from({ length: 1500 }, (_, id) => ({ id: id + 1, name: 'Émonda\r\n"5"', parts: [{ id, weight: null, tested: true }] }))
  const text = `{"list":[\n${records.map(record => JSON.stringify(record)).join(',\n')}\n]}`
  t.strictSame((await read(path, text)).pieces, { items: records, content: { list: [] } })
  const puts = fc.constantFrom('', ' ', ',', '"', '{', ']', '\\', '"id":1,', '"":0,', '\\ud800', '\ufeff', '000', 'e3', '},\n{')
  await fc.assert(fc.asyncProperty(fc.nat(text.length), fc.nat(2), puts, async (at, cut, put) => {
    const changed = text.slice(0, at) + put + text.slice(at + cut)
    const { pieces } = await read(path, changed)
    assert.equal(pieces !== undefined, isOrdinary(changed), 'refused where it is out of the ordinary')
    if (pieces !== undefined) assert.deepEqual(pieces.items, Object.values(JSON.parse(changed) as object).find(Array.isArray))
  }), { numRuns: 200 })
})

test('a name that stands twice is found where blanks that are missing make up for it', async t => {
  const path = join(t.testdir(), 'file.json')
  const records = Array.from({ length: 1000 }, (_, id) => JSON.stringify({ id, name: 'brake' }))
  const [before, after] = [records.slice(0, 900).join(',\n      '), records.slice(900).join(',\n      ')]
  t.ok((await read(path, `{"list":[\n      ${before},${after}]}`)).pieces)
  t.equal((await read(path, `{"list":[\n      ${before},${after.replace('{', '{"id":1,')}]}`)).pieces, undefined)
})

test('what is out of the ordinary only at first sight is read', async t => {
  const path = join(t.testdir(), 'file.json')
  for (const content of [{ version: 1 }, { list: [] }, { name: '\\ud' }, { list: ['\nd \u0001 \\ud'] }, { list: ['\u0001d \\ud'] }]) {
    const { list = [] } = content as { list?: unknown[] }
    const text = JSON.stringify(content)
    t.strictSame((await read(path, text)).pieces, { items: list, content: 'list' in content ? { list: [] } : content }, text)
  }
})

test('what is refused while it is read', async t => {
  const path = join(t.testdir(), 'file.json')
  const refused: ReadonlyArray<readonly [title: string, text: string | Buffer, accepts?: () => boolean]> = [
    ['not accepted', '{"list":[1]}', () => false],
    ['not UTF-8', Buffer.from('{"list":["\u00e9"]}', 'latin1')],
    ['a second list', '{"list":[1],"other":[2]}'],
    ['a comma before the first item', '{"list":[,1]}'],
    ['a comma after much that is blank', `{"list":[${' '.repeat(20_000)},1]}`],
    ['a comma after a long item', `{"list":["${'x'.repeat(20_000)}", ]}`],
    ['an item that is larger than 16 MiB', `{"list":["${'x'.repeat(2 ** 24)}"]}`]
  ]
  for (const [title, text, accepts] of refused) t.equal((await read(path, text, accepts)).pieces, undefined, title)
})
