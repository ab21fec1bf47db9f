import { Readable } from 'node:stream'
import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { test } from 'tap'
import { chooseCoding, createEncoder, type WithEncodings } from '../../src/http/coding.ts'

type Made = { body: Buffer, etag: string }

const [long, short] = [Buffer.alloc(1001), Buffer.alloc(1000)]
const pieces = () => Readable.from([long])

/** The coding of a body, or the status of the error. */
function chosen (header: string | undefined, body: Buffer | typeof pieces = long): string | number {
  try {
    return chooseCoding(header, body)
  } catch (error) {
    return (error as { statusCode: number }).statusCode
  }
}

type Chosen = string | number

const cases: [long: Chosen, short: Chosen, pieces: Chosen, headers: (string | undefined)[]][] = [
  ['identity', 'identity', 'identity', [
    undefined, '', 'deflate', 'gzip;q=0.5, gzip;q=0', 'br;q=0', '*;q=0.1, identity;q=0.2', 'identity, br;q=0.9', '*;q=0.0, identity', 'br;q=2',
    'br;q=0.1234', 'br;q=', 'br;level=3, identity;q=no', 'br gzip', 'constructor, __proto__;q=0'
  ]],
  ['gzip', 'identity', 'identity', ['gzip', 'x-gzip', 'GZip;Q=0.5', 'gzip ; q=0.001', 'br;q=0.5, gzip;q=0.8', 'br;q=0, *', ',,gzip,']],
  ['br', 'identity', 'identity', ['gzip, deflate, br, zstd', '\tbr\t;\tq=1.000\t,gzip', '*', 'br;q=0.3, identity;q=0.2']],
  ['gzip', 'gzip', 406, ['identity;q=0, gzip;q=0.1']],
  ['br', 'br', 406, ['identity;q=0, *', '*;q=0, br']],
  [406, 406, 406, ['identity;q=0', '*;q=0']]
]

test('the coding of a long body, a short one and a stream', async t => {
  for (const [ofLong, ofShort, ofPieces, headers] of cases) {
    for (const header of headers) t.same([chosen(header), chosen(header, short), chosen(header, pieces)], [ofLong, ofShort, ofPieces], String(header))
  }
  t.throws(() => chooseCoding('identity;q=0', long), { message: 'Could not satisfy the request Accept-Encoding header.' })
})

const weight = fc.integer({ min: 0, max: 1000 }).map(thousandths => thousandths / 1000)
const name = fc.constantFrom<string[]>('br', 'gzip', 'identity', '*', 'zstd')
const weighed = fc.uniqueArray(fc.tuple(name, weight), { selector: ([name]) => name })
const headerOf = (entries: readonly (readonly [string, number])[]) => entries.map(([name, q]) => `${name};q=${q}`).join(', ')

test('the chosen coding is acceptable and has the highest weight, in any order', async t => {
  fc.assert(fc.property(weighed, entries => {
    const weights = new Map(entries)
    const coding = chosen(headerOf(entries))
    if (coding !== chosen(headerOf(entries.toReversed()))) return false
    const named = ['br', 'gzip', 'identity'].filter(name => weights.has(name))
    const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? (name === 'identity' ? 1e-9 : 0)
    if (coding === 406) return ['br', 'gzip', 'identity'].every(name => weightOf(name) === 0)
    return weightOf(String(coding)) > 0 && named.every(name => weightOf(name) <= weightOf(String(coding)))
  }))
  fc.assert(fc.property(fc.string(), header => ['br', 'gzip', 'identity', 406].includes(chosen(header))))
})

/** Representations by name, each with its own body. */
function source () {
  const known = new Map<string, WithEncodings<Made>>()
  const state = { encoded: 0, isBroken: false }
  const find = (name: string): WithEncodings<Made> => {
    const plain = known.get(name) ?? { body: Buffer.alloc(2000, name), etag: `"${name}"`, compressed: {} }
    known.set(name, plain)
    return plain
  }
  const encode = (_: Made, body: Buffer, { etag }: { etag: string }) => {
    if (state.isBroken) throw new Error('no memory')
    state.encoded++
    return { body, etag }
  }
  const select = createEncoder<Made>(encode)
  return { select: (name: string, accepted: string) => select(find(name), accepted), state }
}

test('concurrent requests share one compression, and later ones find it', async t => {
  const { select, state } = source()
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => select('a', 'br')))
  for (const other of others) t.equal(other, first)
  t.equal(select('a', 'br'), first, 'at once')
  t.equal(state.encoded, 1)
  t.same(brotliDecompressSync(first!.body), Buffer.alloc(2000, 'a'))
  const zipped = await select('a', 'gzip')
  t.equal(new Set(['"a"', first?.etag, zipped.etag]).size, 3, 'each coding has its own tag')
})

test('a failed compression rejects the requests that wait for it; the next request retries', async t => {
  const { select, state } = source()
  state.isBroken = true
  for (const name of ['a', 'a', 'b']) await t.rejects(Promise.resolve(select(name, 'br')), { message: 'no memory' })
  state.isBroken = false
  t.equal((await select('a', 'br')).body.length, (await select('b', 'br')).body.length)
})
