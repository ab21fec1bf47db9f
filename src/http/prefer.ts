/** One element of a comma list; commas within quotes are part of it. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/gs

/** A preference: a token, a token or a quoted text as its value, and parameters, none of which means anything here. */
const preference = /^([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*=[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[^"\\]|\\.)*)"))?[ \t]*(?:;.*)?$/s

/**
 * Reads a Prefer header (RFC 7240, 2; Node joins several by commas) as values by name; no value is the empty text. Names are
 * in lower case, the first of a repeated preference counts, and what is no preference is left out.
 */
export function readPreferences (header: string): Map<string, string> {
  const preferences = new Map<string, string>()
  for (const [text] of header.matchAll(element)) {
    const [, name, token, quoted = ''] = preference.exec(text.trim()) ?? []
    if (name === undefined || preferences.has(name.toLowerCase())) continue
    preferences.set(name.toLowerCase(), token ?? quoted.replace(/\\(.)/gs, '$1'))
  }
  return preferences
}
