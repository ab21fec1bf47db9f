import { pipeline, type Readable } from 'node:stream'
import { decoders } from '../base/decoders.ts'

/** Returns whether a body with these content codings, in lower case, can be decoded: none, or a single known one. */
export const isDecodable = (coding: string): boolean => ['', 'identity'].includes(coding) || decoders.has(coding)

/** The most text that is kept in memory until a quotation mark ends it. */
const maxUnquoted = 2 ** 20

/**
 * Yields a body without its content coding, and with its text replaced. Its pieces end with a quotation mark, so that
 * none cuts a URL; bytes outside ASCII stay as they are.
 *
 * @throws {Error} for a text of more than 1 MiB without a quotation mark, and for the error of the body
 */
export async function * rewrittenPieces (
  body: Readable, coding: string, replace: (text: string) => string
): AsyncGenerator<Buffer> {
  const decoder = decoders.get(coding)?.createStream()
  const decoded = decoder === undefined ? body : pipeline(body, decoder, () => {}) // passes errors on to the decoder
  let rest = ''
  try {
    for await (const chunk of decoded.setEncoding('latin1') as AsyncIterable<string>) {
      const end = chunk.lastIndexOf('"') + 1
      if (end > 0) yield Buffer.from(replace(rest + chunk.slice(0, end)), 'latin1')
      rest = end > 0 ? chunk.slice(end) : rest + chunk
      if (rest.length > maxUnquoted) throw new Error('more than 1 MiB without a quotation mark')
    }
  } catch (error) {
    // Services label also an empty body, which is no end of a compressed one.
    const isEmpty = (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR' && decoder?.bytesWritten === 0
    if (!isEmpty) throw error
  }
  if (rest !== '') yield Buffer.from(replace(rest), 'latin1')
}
