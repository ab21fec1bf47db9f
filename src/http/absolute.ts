/** The fields that hold the address of a picture. */
const pictureFields = new Set(['image_url', 'images', 'featured_image', 'url'])

/** Gives a copy of a record in which each picture that is a path of this server has an absolute URL. */
export function absolute<T> (value: T, origin: string): T {
  if (Array.isArray(value)) return value.map(item => absolute(item, origin)) as T
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [field, item] of Object.entries(value)) {
    copy[field] = typeof item === 'string' && item.startsWith('/') && pictureFields.has(field) ? origin + item : absolute(item, origin)
  }
  return copy as T
}
