import { Readable } from 'node:stream'
import { test } from 'tap'
import { chooseCoding } from '../../src/http/body.ts'

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
    undefined, '', 'deflate', 'br;q=0', '*;q=0.1, identity;q=0.2', 'identity, br;q=0.9', '*;q=0.0, identity', 'br;q=no', 'br gzip',
    'constructor, __proto__;q=0'
  ]],
  ['gzip', 'identity', 'identity', ['gzip', 'gzip;q=0.5, gzip;q=0', 'GZip;Q=0.5', 'gzip ; q=0.001', 'br;q=0.5, gzip;q=0.8', 'br;q=0, *', ',,gzip,']],
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
