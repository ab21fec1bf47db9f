import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { errors } from './errors.ts'
import { tagOf } from './headers.ts'
import type { Body } from './send.ts'

/** Content codings (RFC 9110, 8.4.1), in the order of preference. */
const codings = ['br', 'gzip', 'identity'] as const

type Coding = typeof codings[number]
type Compressed = Exclude<Coding, 'identity'>

/** Bodies up to this size, in bytes, fit into one packet and are not compressed. */
const shortBytes = 1000

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/** Compresses in zlib's thread pool, at fast qualities: br makes 123 KB 21 KB in 0.6 ms. */
const compressors: Readonly<Record<Compressed, (body: Buffer) => Promise<Buffer>>> = {
  br: body => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
  gzip: body => zip(body, { level: 4 })
}

/** One entry of Accept-Encoding: a coding and its weight. */
const entryPattern = /^[ \t]*([^\s;]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/

/** Returns the codings that a client accepts, best first (RFC 9110, 12.5.3); invalid entries are ignored. */
function readCodings (header: string): readonly Coding[] {
  const weights = new Map<string, number>()
  for (const entry of header.toLowerCase().split(',')) {
    const [, name = '', weight = '1'] = entryPattern.exec(entry) ?? []
    weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight))
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? Number.MIN_VALUE : 0)
  return codings.filter(coding => weightOf(coding) > 0).sort((a, b) => weightOf(b) - weightOf(a))
}

/** Chooses the coding of a body: none if it is short or a stream, unless the client refuses that. Throws 406 if none is acceptable. */
export function chooseCoding (header: string | undefined, body: Body): Coding {
  const accepted = header === undefined ? ['identity' as const] : readCodings(header)
  const isPlain = !Buffer.isBuffer(body) || (body.length <= shortBytes && accepted.includes('identity'))
  const chosen = isPlain ? accepted.find(coding => coding === 'identity') : accepted[0]
  if (chosen === undefined) throw errors.noCodingAcceptable()
  return chosen
}

/** A representation without a content coding, and those compressed so far. */
export type WithEncodings<T> = T & { compressed: Partial<Record<Compressed, T>> }

type CodedFields = Readonly<Record<'etag' | 'content-encoding' | 'content-length', string>>

/** Returns a function that selects the best accepted coding, or throws 406. Compresses each body once for all, then calls `grown`. */
export function createEncoder<T extends { body: Body, etag: string }> (encode: (plain: T, body: Buffer, fields: CodedFields) => T) {
  const share = createSingleFlight<T>()

  return function encoded (plain: WithEncodings<T>, accepted?: string, grown = () => {}): T | Promise<T> {
    const coding = chooseCoding(accepted, plain.body)
    if (coding === 'identity') return plain
    return plain.compressed[coding] ?? share(`${coding} ${plain.etag}`, () => compress(plain, coding, grown))
  }

  async function compress (plain: WithEncodings<T>, coding: Compressed, grown: () => void): Promise<T> {
    const body = Buffer.copyBytesFrom(await compressors[coding](plain.body as Buffer)) // copies it out of zlib's larger buffer
    const etag = tagOf(createHash('sha256').update(plain.etag).update(body))
    const made = encode(plain, body, { etag, 'content-encoding': coding, 'content-length': String(body.length) })
    plain.compressed[coding] = made
    grown()
    return made
  }
}

/** Returns whether the client of a request has closed its connection. */
export type IsGone = () => boolean

/** Returns a function that shares work between concurrent callers with the same key; the work can stop when all of them are gone. */
export function createSingleFlight<T> () {
  const inFlight = new Map<string, { result: Promise<T>, callers: IsGone[] }>()

  return (key: string, work: (isAbandoned: IsGone) => T | Promise<T>, isGone: IsGone = () => false): T | Promise<T> => {
    const known = inFlight.get(key)
    known?.callers.push(isGone)
    if (known !== undefined) return known.result
    const callers = [isGone]
    const done = work(() => callers.every(isGone => isGone()))
    if (!(done instanceof Promise)) return done
    const result = done.finally(() => inFlight.delete(key))
    inFlight.set(key, { result, callers })
    return result
  }
}
