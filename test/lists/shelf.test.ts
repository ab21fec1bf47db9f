import fc from 'fast-check'
import { test } from 'tap'
import { createMemory } from '../../src/lists/memory.ts'
import { createShelf, type Shelf } from '../../src/lists/shelf.ts'
import type { Template } from '../../src/lists/template.ts'

function templateOf (json: string, inserts: Template['inserts'] = []): Template {
  return { json, size: Buffer.byteLength(json), inserts, length: 0, origins: 0, digest: '' }
}

function read (shelf: Shelf, place: number, length: number): string {
  const target = Buffer.alloc(length)
  return target.toString('utf8', 0, shelf.copy(place, Buffer.from('http://a'), target, 0))
}

const megabyte = 'é'.repeat(2 ** 19)

test('what is put on the shelf is copied with its parts and for an origin', async t => {
  const shelf = createShelf(createMemory(2 ** 20))
  const part = templateOf('<\0/p>', [undefined])
  const places = ['a\0b\0c\0d', '\0\0\0', 'é\0🚲\0\0'].map(json => shelf.put(templateOf(json, [undefined, part, part]), true))
  t.same(places.map(place => read(shelf, place, 100)), [
    'ahttp://ab<http://a/p>c<http://a/p>d',
    'http://a<http://a/p><http://a/p>',
    'éhttp://a🚲<http://a/p><http://a/p>'
  ])
})

test('the oldest go when there is no room, but the last one stays however long it is', async t => {
  const shelf = createShelf(createMemory(3 * 2 ** 20))
  const [first = 0, second = 0] = [shelf.put(templateOf('first'), true), shelf.put(templateOf(megabyte), true)]
  t.ok(shelf.has(first))
  t.equal(read(shelf, second, 2 ** 20), megabyte)
  shelf.put(templateOf(megabyte), true)
  t.notOk(shelf.has(first))
  t.ok(shelf.has(second))
  const long = shelf.put(templateOf(megabyte.repeat(4)), true)
  t.notOk(shelf.has(second))
  t.ok(shelf.has(long))
})

test('one that is not kept gives its place to the next', async t => {
  const shelf = createShelf(createMemory(2 ** 20))
  const kept = shelf.put(templateOf('kept'), true)
  const passing = shelf.put(templateOf('passing'), false)
  t.equal(read(shelf, passing, 10), 'passing')
  t.equal(shelf.put(templateOf('next'), true), passing)
  t.equal(read(shelf, kept, 10), 'kept')
})

test('after one that is longer than a buffer and not kept all others stay what they are', async t => {
  const shelf = createShelf(createMemory(16 * 2 ** 20))
  shelf.put(templateOf(megabyte.repeat(3)), false)
  const texts = Array.from({ length: 7 }, (_, index) => String(index).repeat(2 ** 19))
  const places = texts.map(text => shelf.put(templateOf(text), true))
  t.same(places.map(place => read(shelf, place, 2 ** 20)), texts)
})

test('a memory is used again by the next shelf, and the one before can go on', async t => {
  const memory = createMemory(2 ** 20)
  const before = createShelf(memory)
  const gone = before.put(templateOf('gone'), true)
  const buffer = memory.bufferOf(gone)
  const next = createShelf(memory)
  t.notOk(before.has(gone))
  const places = [next.put(templateOf('new'), true), before.put(templateOf('anew'), true)]
  t.same(places.map(place => read(before, place, 10)), ['new', 'anew'])
  for (const place of places) t.equal(memory.bufferOf(place), buffer)
})

test('as many of those that were put last stay as there is room for', async t => {
  const shelf = createShelf(createMemory(3 * 2 ** 20))
  const texts = Array.from({ length: 9 }, (_, index) => String(index).repeat(2 ** 19 + index))
  const places = texts.map(text => shelf.put(templateOf(text), true))
  for (const [index, place] of places.entries()) {
    t.equal(shelf.has(place), index > 5, String(index))
    if (index > 5) t.equal(read(shelf, place, 2 ** 20), texts[index])
  }
})

test('whatever is copied into a buffer, for whomever, stands there as if nothing had been copied before', async t => {
  const inner = templateOf('(\0)', [undefined])
  const part = templateOf('<\0\0>', [inner, undefined])
  const templates = [templateOf('a\0b\0', [part, part]), templateOf('\0', [inner]), templateOf('c\0', [undefined]), templateOf('d')]
  const written: ((origin: string) => string)[] = [o => `a<(${o})${o}>b<(${o})${o}>`, o => `(${o})`, o => `c${o}`, () => 'd']
  const shelf = createShelf(createMemory(2 ** 20))
  const places = templates.map(template => shelf.put(template, true))
  const step = fc.record({ index: fc.nat(3), origin: fc.nat(1), target: fc.nat(1), from: fc.constantFrom('end', 'start', 'gap') })
  t.doesNotThrow(() => fc.assert(fc.property(fc.array(step, { maxLength: 30 }), steps => {
    const origins = ['http://a', 'https://bc'].map(origin => Buffer.from(origin))
    const targets = [Buffer.alloc(4096), Buffer.alloc(4096)]
    const ends = [0, 0]
    for (const { index, origin, target, from } of steps) {
      const [own, bytes] = [targets[target]!, origins[origin]!]
      const start = { end: ends[target]!, start: 0, gap: ends[target]! + 3 }[from]
      if (from === 'start') own.fill('x')
      const end = ends[target] = shelf.copy(places[index]!, bytes, own, start)
      if (own.toString('utf8', start, end) !== written[index]!(bytes.toString())) return false
    }
    return true
  })))
})
