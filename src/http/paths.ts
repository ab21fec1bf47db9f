/**
 * Gives the path of a request target and what follows it. The path is percent-decoded once and fully, `%2F` too, and is
 * not normalised in any way (reference, "Paths"); undefined when it cannot be decoded.
 */
export function splitTarget (target: string): { path: string | undefined, query: string } {
  const end = target.search(/[?#]/)
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
