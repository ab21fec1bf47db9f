import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createInflate, createUnzip } from 'node:zlib'

/** How a body is changed: its text is replaced, and its error is another one. */
type Rewriting = {
  replace: (text: string) => string
  toError: (error: Error) => Error
}

/** The decoders of content codings (RFC 9110, 8.4.1). */
const streamDecoders: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createInflate,
  br: createBrotliDecompress
}

/** Returns whether a body with these content codings can be decoded: it has none, or a single known one. */
export function isDecodable (coding: string | undefined): boolean {
  return coding === undefined || Object.hasOwn(streamDecoders, coding)
}

/** Returns a stream of a body without its content coding, and with its text replaced. */
export function rewriteBody (body: Readable, coding: string | undefined, rewriting: Rewriting): Readable {
  const decoded = decodedStream(body, coding)
  return Readable.from(replacePieces(decoded, rewriting))
}

function decodedStream (body: Readable, coding = ''): Readable {
  const decoder = streamDecoders[coding]?.()
  if (decoder === undefined) return body
  pipeline(body, decoder, () => {}) // passes errors on to the decoder
  return decoder
}

/** Yields pieces that end with a quotation mark, so that none cuts a URL. Bytes outside ASCII stay as they are. */
async function * replacePieces (body: Readable, { replace, toError }: Rewriting): AsyncGenerator<Buffer> {
  let rest = ''
  try {
    for await (const chunk of body.setEncoding('latin1') as AsyncIterable<string>) {
      const end = chunk.lastIndexOf('"') + 1
      if (end > 0) yield Buffer.from(replace(rest + chunk.slice(0, end)), 'latin1')
      rest = end > 0 ? chunk.slice(end) : rest + chunk
    }
  } catch (error) {
    throw toError(error as Error)
  }
  yield Buffer.from(replace(rest), 'latin1')
}
