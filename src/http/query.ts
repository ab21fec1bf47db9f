/** Django's DATA_UPLOAD_MAX_NUMBER_FIELDS: a query with more fields, empty ones included, gets 400. */
export const maxFields = 1000

/** Parses a query as Django's QueryDict: a broken escape stays, invalid UTF-8 becomes U+FFFD. Undefined for more fields than allowed. */
export function parseQuery (text: string): URLSearchParams | undefined {
  let fields = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) fields++
  // The leading & protects a question mark at the beginning of the first name.
  return fields > maxFields ? undefined : new URLSearchParams(`&${text}`)
}

/** Returns the last value of a parameter, or undefined when it is absent. */
export const lastValue = (query: URLSearchParams, name: string) => query.getAll(name).at(-1)

const escapes: Record<string, string> = { '%20': '+', '!': '%21', "'": '%27', '(': '%28', ')': '%29', '*': '%2A' }

function quote (text: string): string {
  const needsNone = /^[\w.~-]*$/.test(text)
  return needsNone ? text : encodeURIComponent(text).replace(/%20|[!'()*]/g, found => escapes[found] as string)
}

/** Surrogates, which UTF-16 orders before U+E000 although their code points come after it. */
const pairs = /[\ud800-\udfff]/

function compareCodePoints (a: string, b: string): number {
  if (pairs.test(a) || pairs.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : Number(a > b)
}

/** Formats parameters as Django's urlencode does, sorted by name in code point order; equal names keep their order. */
export function writeQuery (parameters: Iterable<[string, string]>): string {
  const sorted = [...parameters].sort(([a], [b]) => compareCodePoints(a, b))
  return sorted.map(([name, value]) => `${quote(name)}=${quote(value)}`).join('&')
}
