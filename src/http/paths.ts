/**
 * The path of a request target and what follows it. The path is percent-decoded once and fully, `%2F` too, and is
 * not normalised in any way (reference, "Paths"); undefined when it cannot be decoded.
 */
export function splitTarget (target: string): { path: string | undefined, query: string } {
  const end = target.indexOf('?')
  const path = end === -1 ? target : target.slice(0, end)
  return { path: decodePath(path), query: end === -1 ? '' : target.slice(end) }
}

function decodePath (path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/**
 * The target as the router takes it: in origin form, a known path written plainly however it was escaped, and one that cannot be
 * decoded escaped once more, so that it is unknown like any other.
 */
export function targetOf (target: string, known: ReadonlySet<string>): string {
  const own = originForm(target)
  if (!own.includes('%')) return own
  const { path, query } = splitTarget(own)
  if (path === undefined) return own.slice(0, own.length - query.length).replaceAll('%', '%25') + query
  return known.has(path) ? path + query : own
}

/**
 * Takes the scheme and authority off a request target in absolute form (RFC 9112, 3.2); what is neither is no path of ours.
 * A fragment, which no client should send, is dropped, as gunicorn does.
 */
export function originForm (sent: string): string {
  const fragment = sent.indexOf('#')
  const target = fragment === -1 ? sent : sent.slice(0, fragment)
  return target.startsWith('/') ? target : `/${target.replace(/^https?:\/\/[^/?#]*\/?/i, '')}`
}

/** Percent-encodes what may not stand in a URI and leaves the rest as sent, as Django's iri_to_uri does. */
export function encodeUri (text: string): string {
  return text.replace(/[^\w.~#%[\]=:;$&()+,!?*@'/-]/g, character => encodeURIComponent(character))
}
