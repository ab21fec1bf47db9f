import { test } from 'tap'
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
  const shelf = createShelf(2 ** 20)
  const part = templateOf('<\0/p>', [undefined])
  const places = ['a\0b\0c\0d', '\0\0\0', 'é\0🚲\0\0'].map(json => shelf.put(templateOf(json, [undefined, part, part]), true))
  t.same(places.map(place => read(shelf, place, 100)), [
    'ahttp://ab<http://a/p>c<http://a/p>d',
    'http://a<http://a/p><http://a/p>',
    'éhttp://a🚲<http://a/p><http://a/p>'
  ])
})

test('the oldest go when there is no room, but the last one stays however long it is', async t => {
  const shelf = createShelf(3 * 2 ** 20)
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
  const shelf = createShelf(2 ** 20)
  const kept = shelf.put(templateOf('kept'), true)
  const passing = shelf.put(templateOf('passing'), false)
  t.equal(read(shelf, passing, 10), 'passing')
  t.equal(shelf.put(templateOf('next'), true), passing)
  t.equal(read(shelf, kept, 10), 'kept')
})
