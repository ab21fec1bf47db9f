/** Django's DATA_UPLOAD_MAX_NUMBER_FIELDS: a query with more fields than this is a bad request. */
export const maxFields = 1000

/**
 * The parameters of a query string (without its `?`), decoded as Django's QueryDict does: `+` is a space, a
 * broken escape stays as it is, bytes that are not UTF-8 become U+FFFD; undefined when there are more than
 * {@link maxFields} fields; empty ones count.
 */
export function parseQuery (text: string): URLSearchParams | undefined {
  let fields = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) fields++
  // The leading & keeps URLSearchParams from dropping a question mark that belongs to the first name.
  return fields > maxFields ? undefined : new URLSearchParams(`&${text}`)
}

/** The value that counts of a parameter, the last one, or undefined when it is absent. */
export function lastValue (query: URLSearchParams, name: string): string | undefined {
  return query.getAll(name).at(-1)
}

const escapes: Record<string, string> = { '%20': '+', '!': '%21', "'": '%27', '(': '%28', ')': '%29', '*': '%2A' }

/** What quoting leaves as it is. */
const plain = /^[\w.~-]*$/

function quote (text: string): string {
  return plain.test(text) ? text : encodeURIComponent(text).replace(/%20|[!'()*]/g, found => escapes[found] as string)
}

/** Halves of pairs: the code points that they make come last, but not the halves themselves. */
const pairs = /[\ud800-\udfff]/

function compareCodePoints (a: string, b: string): number {
  if (pairs.test(a) || pairs.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : Number(a > b)
}

/** Writes parameters as Django's urlencode does, sorted by name in code point order; equal names keep their order. */
export function writeQuery (parameters: Iterable<[string, string]>): string {
  return [...parameters]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([name, value]) => `${quote(name)}=${quote(value)}`)
    .join('&')
}
