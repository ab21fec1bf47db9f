/** A received response. */
export type Answer = {
  status: number
  /** Values by lower-case names, each unique. */
  headers: ReadonlyMap<string, string>
  body: Buffer
}

/** Thrown at the first byte that violates RFC 9112. */
export class FramingError extends Error {
  override name = 'FramingError'
}

const statusLine = /^HTTP\/1\.1 ([1-5]\d\d) [\t\x20-\x7e]*$/
const field = /^([!#$%&'*+.^_`|~\dA-Za-z-]+): ([\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/

/** Bounds the buffer of a response whose head does not end, in bytes. */
const longestHead = 2 ** 16

type Head = Omit<Answer, 'body'> & { length: number }

/**
 * Parses responses incrementally and more strictly than clients must: every body needs a length, every field must be
 * unique, and no bytes may come between responses.
 */
export function createAnswerReader () {
  let received = Buffer.alloc(0)
  return {
    push (bytes: Buffer): void { received = Buffer.concat([received, bytes]) },
    /** The number of received bytes beyond the responses taken so far. */
    left: () => received.length,
    /** Returns the next response once it is complete; `method` is that of its request. */
    take (method: string): Answer | undefined {
      for (;;) {
        const end = received.indexOf('\r\n\r\n')
        const isTooLong = end > longestHead || (end === -1 && received.length > longestHead)
        if (isTooLong) throw new FramingError('a head that does not end')
        if (end === -1) return undefined
        const { length, ...answer } = readHead(received.toString('latin1', 0, end), method)
        const last = end + 4 + length
        if (received.length < last) return undefined
        const body = received.subarray(end + 4, last)
        received = received.subarray(last)
        if (answer.status !== 100) return { ...answer, body }
      }
    }
  }
}

function readHead (text: string, method: string): Head {
  const [line = '', ...lines] = text.split('\r\n')
  const [, status] = statusLine.exec(line) ?? []
  if (status === undefined) throw new FramingError(`no status line: ${JSON.stringify(line.slice(0, 200))}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = field.exec(line) ?? []
    if (name === undefined) throw new FramingError(`no header field: ${JSON.stringify(line.slice(0, 200))}`)
    if (headers.has(name.toLowerCase())) throw new FramingError(`${name} stands twice`)
    headers.set(name.toLowerCase(), value)
  }
  return { status: Number(status), headers, length: lengthOf(Number(status), headers, method) }
}

function lengthOf (status: number, headers: ReadonlyMap<string, string>, method: string): number {
  const length = headers.get('content-length')
  if (headers.has('transfer-encoding')) throw new FramingError('a transfer coding, where every length is known')
  if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new FramingError(`Content-Length ${length}`)
  if (status === 100 || status === 204 || status === 304) {
    if (length !== undefined && status !== 304) throw new FramingError(`a Content-Length on ${status}`)
    return 0
  }
  if (length === undefined) throw new FramingError(`no Content-Length on ${status}`)
  return method === 'HEAD' ? 0 : Number(length)
}
