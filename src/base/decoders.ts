import {
  brotliDecompressSync, createBrotliDecompress, createUnzip, unzipSync, type BrotliDecompress, type BrotliOptions,
  type Unzip, type ZlibOptions
} from 'node:zlib'

type Decoder = {
  /** Decodes a whole body, of at most `maxOutputLength` bytes. */
  decode: (body: Buffer, options: Pick<BrotliOptions & ZlibOptions, 'maxOutputLength'>) => Buffer
  createStream: () => Unzip | BrotliDecompress
}

const unzip: Decoder = { decode: unzipSync, createStream: createUnzip }

/** The decoders of content codings (RFC 9110, 8.4.1). */
export const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', unzip],
  ['br', { decode: brotliDecompressSync, createStream: createBrotliDecompress }]
])
