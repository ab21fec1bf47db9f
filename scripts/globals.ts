import { Buffer } from 'node:buffer'

// Fake clocks replace `performance`. jsdom lacks the decoders, and has its own arrays, which Node does not accept.
// The build takes Node's, so that a server runs in the environment of a test.

export { performance } from 'node:perf_hooks'
export { TextDecoder, TextEncoder } from 'node:util'
export const Uint8Array = Object.getPrototypeOf(Buffer) as Uint8ArrayConstructor
export const ArrayBuffer = Buffer.alloc(0).buffer.constructor as ArrayBufferConstructor
