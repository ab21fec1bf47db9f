import { pipeline, type Readable } from 'node:stream'
import { decoders } from '../base/decoders.ts'

/** Returns whether a body with these content codings can be decoded: it has none, or a single known one. */
export function isDecodable (coding: string | undefined): boolean {
  return coding === undefined || decoders.has(coding)
}

/** The most text that is kept in memory until a quotation mark ends it. */
const maxUnquoted = 2 ** 20

/**
 * Yields a body without its content coding, and with its text replaced. Its pieces end with a quotation mark, so that
 * none cuts a URL; bytes outside ASCII stay as they are.
 *
 * @throws {Error} for a text of more than 1 MiB without a quotation mark, and for the error of the body
 */
export async function * rewrittenPieces (
  body: Readable, coding: string | undefined, replace: (text: string) => string
): AsyncGenerator<Buffer> {
  const decoder = decoders.get(coding ?? '')?.createStream()
  const decoded = decoder === undefined ? body : pipeline(body, decoder, () => {}) // passes errors on to the decoder
  let rest = ''
  for await (const chunk of decoded.setEncoding('latin1') as AsyncIterable<string>) {
    const end = chunk.lastIndexOf('"') + 1
    if (end > 0) yield Buffer.from(replace(rest + chunk.slice(0, end)), 'latin1')
    rest = end > 0 ? chunk.slice(end) : rest + chunk
    if (rest.length > maxUnquoted) throw new Error('more than 1 MiB without a quotation mark')
  }
  if (rest !== '') yield Buffer.from(replace(rest), 'latin1')
}
