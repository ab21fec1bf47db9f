import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import { tagOf } from './conditional.ts'
import { errors } from './errors.ts'
import type { Body } from './send.ts'
import { createPool, createShare } from './turns.ts'

/** The codings of a body, of which identity is none (RFC 9110, 8.4.1); in the order of preference. */
const codings = ['br', 'gzip', 'identity'] as const

type Coding = typeof codings[number]
type Compressed = Exclude<Coding, 'identity'>

/** A body of up to so many bytes is not compressed: it fits into one packet as it is. */
const shortBytes = 1000

/** So many bodies are compressed at once: half of the threads that Node has for such work. */
const inTurn = createPool(2)

type Zlib = typeof import('node:zlib')

/**
 * Compress a body in a thread of their own, and so fast that the first who asks for it may wait: 123 KB become 21 KB as br in 0.6 ms,
 * 24 KB as gzip in 1 ms. The next better qualities take more than twice as long for 13 % and half again as long for 9 %.
 */
const compressors: Readonly<Record<Compressed, (zlib: Zlib, body: Buffer) => Promise<Buffer>>> = {
  br: ({ brotliCompress, constants }, body) => promisify(brotliCompress)(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
  }),
  gzip: ({ gzip }, body) => promisify(gzip)(body, { level: 4 })
}

const names = new Map<string, Coding>(codings.map(coding => [coding, coding])).set('x-gzip', 'gzip')

/**
 * The codings that a client accepts, best first (RFC 9110, 12.5.3): by weight, then as we prefer. Identity comes last where it is
 * not spoken of; an entry that cannot be read counts for nothing.
 */
export function acceptedCodings (header: string): readonly Coding[] {
  const weights = new Map<string, number>()
  for (const entry of header.toLowerCase().split(',')) {
    const [, name = '', weight = '1'] = /^[ \t]*([^\s;]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/.exec(entry) ?? []
    weights.set(names.get(name) ?? name, Number(weight))
  }
  const others = weights.get('*')
  const weightOf = (coding: Coding) => weights.get(coding) ?? others ?? (coding === 'identity' ? Number.MIN_VALUE : 0)
  return codings.filter(coding => weightOf(coding) > 0).sort((a, b) => weightOf(b) - weightOf(a))
}

/** Clients are of few kinds: what their headers say is read once. */
const known = new LRUCache<string, readonly Coding[]>({ max: 20, memoMethod: acceptedCodings })

const onlyIdentity: readonly Coding[] = ['identity']

/**
 * Chooses the coding of a body: none where it is short or made in pieces, unless the client refuses that. Throws the 406 of a
 * request that accepts no coding which the body can have.
 */
export function chooseCoding (header: string | undefined, body: Body): Coding {
  const accepted = header === undefined ? onlyIdentity : known.memo(header)
  const isPlain = !Buffer.isBuffer(body) || (body.length <= shortBytes && accepted.includes('identity'))
  const chosen = isPlain ? accepted.find(coding => coding === 'identity') : accepted[0]
  if (chosen === undefined) throw errors.noCodingAcceptable()
  return chosen
}

/** A representation that is not compressed, with those that are, as far as they have been asked for. */
export type Plain<T> = T & { compressed: Partial<Record<Compressed, T>> }

type Source<Asked, T> = {
  find: (asked: Asked) => Plain<T> | Promise<Plain<T>>
  /** Makes the representation of a compressed body; its fields stand in place of those of the plain one. */
  encode: (plain: T, body: Buffer, fields: Readonly<Record<'etag' | 'content-encoding' | 'content-length', string>>) => T
  /** Is told of a representation that takes more room than before. */
  grown?: (asked: Asked, plain: Plain<T>) => void
}

/**
 * A function that finds a representation in a coding that a request's Accept-Encoding accepts: at once where it is there. A body is
 * compressed once for all who ask for it, in turn; those who wait hold none, because it is found anew then. Throws the 406 of no coding.
 */
export function createSelect<Asked, T extends { body: Body, etag: string }> ({ find, encode, grown }: Source<Asked, T>) {
  const share = createShare<T>()

  return (asked: Asked, accepted?: string): T | Promise<T> => {
    const plain = find(asked)
    return plain instanceof Promise ? plain.then(plain => select(asked, plain, accepted)) : select(asked, plain, accepted)
  }

  function select (asked: Asked, plain: Plain<T>, accepted?: string): T | Promise<T> {
    const coding = chooseCoding(accepted, plain.body)
    const known = coding === 'identity' ? plain : plain.compressed[coding]
    return known ?? share(`${coding} ${plain.etag}`, () => inTurn(() => make(asked, coding as Compressed)))
  }

  async function make (asked: Asked, coding: Compressed): Promise<T> {
    const plain = await find(asked)
    const body = await compress(coding, plain.body as Buffer)
    const etag = tagOf(Buffer.concat([Buffer.from(plain.etag), body]))
    const made = encode(plain, body, { etag, 'content-encoding': coding, 'content-length': String(body.length) })
    plain.compressed[coding] = made
    grown?.(asked, plain)
    return made
  }
}

let zlib: Promise<Zlib> | undefined

async function compress (coding: Compressed, body: Buffer): Promise<Buffer> {
  zlib ??= import('node:zlib') // which would take 3 ms of a start
  const compressed = await compressors[coding](await zlib, body)
  return Buffer.copyBytesFrom(compressed) // it may be a small part of what zlib took for it
}
