import { roomFor } from '../settings/memory.ts'

/** The number of a buffer, times the size of one, and where in it something stands. */
export type Place = number

/** Buffers that are filled one after the other; the oldest go when there is no room. */
export type Memory = {
  /** How many bytes there are at most, but for what is longer. */
  maxBytes: number
  /** Finds room for so many bytes. What is not kept gives its room to the next. */
  take: (size: number, isKept: boolean) => Place
  /** The buffer that a place is in, as long as it is there. */
  bufferOf: (place: Place) => Buffer | undefined
  /** Where in its buffer a place is. */
  offsetOf: (place: Place) => number
  /** Has all that is there go. */
  clear: () => void
}

/** Bounds the memory of records, in bytes. A list that has room is written once, any other each time that it is sent. */
const recordBytes = roomFor(192 * 2 ** 20)

/** The size of a buffer, in bytes; what is longer has one of its own. */
const bufferBytes = 2 ** 20

/**
 * Memory for records, which whoever needs it next clears and uses again. V8 does not count it, because it looks for garbage each time that
 * it has counted another 32 MiB or so: half a second of CPU time with 100,000 bikes.
 */
export function createMemory (maxBytes = recordBytes): Memory {
  return createBuffers(maxBytes, size => Buffer.from(new SharedArrayBuffer(size)))
}

/** Memory that grows as long as there is some, and goes with its owner. */
export function createOwnMemory (): Memory {
  return createBuffers(Infinity, Buffer.allocUnsafeSlow)
}

function createBuffers (maxBytes: number, allocate: (size: number) => Buffer): Memory {
  const buffers = new Map<number, Buffer>()
  const spare: Buffer[] = []
  let [number, end, total] = [0, 0, 0]

  return {
    maxBytes,
    take (size, isKept) {
      if (!buffers.has(number) || end + size > bufferBytes) begin(Math.max(size, bufferBytes))
      const start = end
      if (isKept) end += size
      return number * bufferBytes + start
    },
    bufferOf: place => buffers.get(Math.floor(place / bufferBytes)),
    offsetOf: place => place % bufferBytes,
    clear: () => { drop(0) }
  }

  function begin (size: number): void {
    drop(maxBytes - size)
    buffers.set(++number, size > bufferBytes ? allocate(size) : spare.pop() ?? allocate(size))
    end = 0
    total += size
  }

  /** Has the oldest go until no more than so many bytes are left. */
  function drop (left: number): void {
    for (const [oldest, buffer] of buffers) {
      if (total <= left) break
      buffers.delete(oldest)
      total -= buffer.length
      if (buffer.length === bufferBytes) spare.push(buffer)
    }
  }
}
