import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { attempt } from '../base/attempt.ts'

const decoders: Readonly<Record<string, typeof unzipSync>> = {
  gzip: unzipSync, 'x-gzip': unzipSync, deflate: unzipSync, br: brotliDecompressSync, identity: body => Buffer.from(body as Buffer)
}

/** Decodes a body, as some services compress although no request asks for it (RFC 9110, 12.5.3). @throws {Error} for other codings */
export function decode (body: Buffer, codings = '', maxOutputLength: number): Buffer {
  if (body.length === 0) return body // of HEAD
  return codings.split(',').map(coding => coding.trim().toLowerCase()).filter(Boolean).reduceRight((body, coding) => {
    const decoder = decoders[coding]
    if (decoder === undefined) throw new Error(`a response in the coding ${coding}, which is not supported`)
    const { value, error } = attempt(() => decoder(body, { maxOutputLength }))
    if (value === undefined) throw new Error(`a response that cannot be decoded as ${coding}: ${error?.code}`)
    return value
  }, body)
}
