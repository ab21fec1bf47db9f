import { attempt } from '../base/attempt.ts'

/** The path of a target, decoded, and its query with the question mark. */
export type TargetParts = { readonly path: string | undefined, readonly query: string }

/**
 * Splits a target. Its path is percent-decoded once and fully, `%2F` too, and not normalised (contract F11); undefined
 * if invalid.
 */
export function splitTarget (target: string): TargetParts {
  const path = sentPath(target)
  return { path: decodePath(path), query: target.slice(path.length) }
}

/** Returns the path of a target as sent, without its query. */
export function sentPath (target: string): string {
  const end = target.indexOf('?')
  return end === -1 ? target : target.slice(0, end)
}

const decodePath = (path: string) => path.includes('%') ? attempt(() => decodeURIComponent(path)).value : path

/** Normalises a target for the router: to origin form, without the base path, with a known path decoded. */
export function normaliseTarget (target: string, known: { has: (path: string) => boolean }, basePath: string): string {
  if (basePath === '' && plainTarget.test(target)) return target
  const own = withoutBase(originForm(target), basePath)
  if (!own.includes('%')) return own
  const { path, query } = splitTarget(own)
  if (path === undefined) {
    return sentPath(own).replaceAll('%', '%25') + query // gets 404
  }
  return known.has(path) ? path + query : own
}

/** Matches a target in origin form, without an escape or a fragment. */
const plainTarget = /^\/[^#%]*$/

/** Removes the base path from a target in origin form, unless a proxy has removed it. */
export function withoutBase (target: string, basePath: string): string {
  if (basePath === '') return target
  const parts = target.split(/(?=[/?])/)
  const depth = basePath.split('/').length - 1
  if (decodePath(parts.slice(0, depth).join('')) !== basePath) return target
  const rest = parts.slice(depth).join('')
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Removes the scheme and authority of an absolute-form target (RFC 9112, 3.2). Drops a fragment, as gunicorn does. */
export function originForm (sent: string): string {
  const fragment = sent.indexOf('#')
  const target = fragment === -1 ? sent : sent.slice(0, fragment)
  return target.startsWith('/') ? target : `/${target.replace(/^https?:\/\/[^/?#]*\/?/i, '')}`
}

/** Percent-encodes characters that a URI must not contain, as Django's iri_to_uri does; a lone surrogate as U+FFFD. */
export function encodeUri (text: string): string {
  return text.replace(/[^\w.~#%[\]=:;$&()+,!?*@'/-]/gu, character => {
    return encodeURIComponent(Buffer.from(character).toString())
  })
}

/** Django's DATA_UPLOAD_MAX_NUMBER_FIELDS: a query with more fields, empty ones included, gets 400. */
const maxFields = 1000

/**
 * Parses a query as Django's QueryDict: a broken escape stays, invalid UTF-8 becomes U+FFFD. Undefined for more fields
 * than allowed.
 */
export function parseQuery (text: string): URLSearchParams | undefined {
  let fields = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) fields++
  // The leading & protects a question mark at the beginning of the first name.
  return fields > maxFields ? undefined : new URLSearchParams(`&${text}`)
}

/** Returns the value that counts of a repeated parameter. */
export const lastValue = (query: URLSearchParams, name: string) => query.getAll(name).at(-1)

/** Escapes in which Django differs from encodeURIComponent. */
const djangoEscapes: Record<string, string> = { '%20': '+', '!': '%21', "'": '%27', '(': '%28', ')': '%29', '*': '%2A' }

function quote (text: string): string {
  const needsNone = /^[\w.~-]*$/.test(text)
  return needsNone ? text : encodeURIComponent(text).replace(/%20|[!'()*]/g, found => djangoEscapes[found] as string)
}

/** Surrogates, which UTF-16 orders before U+E000 although their code points come after it. */
const pairs = /[\ud800-\udfff]/

function compareCodePoints (a: string, b: string): number {
  if (pairs.test(a) || pairs.test(b)) {
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  }
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Formats parameters as Django's urlencode does, sorted by name in code point order; equal names keep their order. */
export function writeQuery (parameters: Iterable<[string, string]>): string {
  const sorted = [...parameters].sort(([a], [b]) => compareCodePoints(a, b))
  const written: string[] = []
  for (const [name, value] of sorted) {
    written.push(`${quote(name)}=${quote(value)}`)
  }
  return written.join('&')
}
