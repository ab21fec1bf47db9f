import { createOwnMemory, type Memory, type Place } from './memory.ts'
import { mark } from './serialise.ts'
import type { Template } from './template.ts'

/**
 * Keeps the JSON of templates in a few large buffers, which costs the garbage collector nothing however many there are. The
 * oldest go when there is no room; parts stay.
 *
 * At a place stand the size of the JSON, the JSON, a mark, and for each mark in the JSON the place of a part.
 */
export type Shelf = {
  /** Puts a template on the shelf and tells its place; one that is not kept stays until the next is put there. */
  put: (template: Template, isKept: boolean) => number
  has: (place: number) => boolean
  /** Copies the JSON at a place, for an origin, into a buffer, from `start` on; gives where it ends. */
  copy: (place: number, origin: Buffer, target: Buffer, start: number) => number
}

const [markByte = 0] = Buffer.from(mark)

/** Stands for the place of a part where the origin is to stand. */
const originPlace = -1

/** A shelf that has a memory from now on; what another has put there is gone. */
export function createShelf (records: Memory): Shelf {
  records.clear()
  const parts = createOwnMemory()
  const places = new WeakMap<Template, Place>()
  let filled: { target?: Buffer, origin?: Buffer, end: number } = { end: 0 }
  /** Where parts stand in the buffer that is being filled for an origin; from there they are copied at once. */
  let standing = new Map<Place, { start: number, end: number }>()

  return {
    put: (template, isKept) => write(records, template, isKept),
    has: place => records.bufferOf(place) !== undefined,
    copy (place, origin, target, start) {
      if (target !== filled.target || origin !== filled.origin || start < filled.end) standing = new Map()
      const end = copy(records, place, origin, target, start)
      filled = { target, origin, end }
      return end
    }
  }

  function placeOf (part: Template | undefined): Place {
    if (part === undefined) return originPlace
    const place = places.get(part) ?? write(parts, part, true)
    places.set(part, place)
    return place
  }

  function write (memory: Memory, { json, size, inserts }: Template, isKept: boolean): Place {
    const parts = inserts.map(placeOf)
    const place = memory.take(4 + size + 1 + 8 * parts.length, isKept)
    const buffer = memory.bufferOf(place) as Buffer
    let at = buffer.writeUInt32LE(size, memory.offsetOf(place))
    at += buffer.write(json, at)
    at = buffer.writeUInt8(markByte, at)
    for (const part of parts) at = buffer.writeDoubleLE(part, at)
    return place
  }

  function copy (memory: Memory, place: Place, origin: Buffer, target: Buffer, start: number): number {
    const buffer = memory.bufferOf(place) as Buffer
    let from = memory.offsetOf(place) + 4
    const last = from + buffer.readUInt32LE(from - 4)
    let [end, next] = [start, last + 1]
    for (let at = buffer.indexOf(markByte, from); at < last; at = buffer.indexOf(markByte, from)) {
      end += buffer.copy(target, end, from, at)
      const part = buffer.readDoubleLE(next)
      end = part === originPlace ? end + origin.copy(target, end) : copyPart(part, origin, target, end)
      from = at + 1
      next += 8
    }
    return end + buffer.copy(target, end, from, last)
  }

  function copyPart (place: Place, origin: Buffer, target: Buffer, start: number): number {
    const known = standing.get(place)
    if (known !== undefined) return start + target.copy(target, start, known.start, known.end)
    const end = copy(parts, place, origin, target, start)
    standing.set(place, { start, end })
    return end
  }
}
