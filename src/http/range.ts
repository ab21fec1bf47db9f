/**
 * The bytes that a Range header asks for of a representation of `size` bytes, the last one included (RFC 9110, 14.1.2): null when
 * none of them is there; undefined when it asks for several ranges, of another unit, or cannot be read, which is answered in full.
 */
export function readRange (header: string, size: number): { first: number, last: number } | null | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header) ?? []
  if (from === '' && to === '') return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return first <= last ? { first, last } : null
}
