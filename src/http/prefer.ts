import type { FastifyRequest } from 'fastify'

/** One element of a comma-separated list; quoted commas are part of it. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/gs

/** A preference: a token, an optional value, and parameters, which are ignored. */
const preference = /^([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*=[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[^"\\]|\\.)*)"))?[ \t]*(?:;.*)?$/s

/** Parses a Prefer header (RFC 7240, 2) into values, '' where missing, by lower-case name: the first of each. Ignores invalid elements. */
export function readPreferences (header: string): Map<string, string> {
  const preferences = new Map<string, string>()
  for (const [text] of header.matchAll(element)) {
    const [, name, token, quoted = ''] = preference.exec(text.trim()) ?? []
    if (name === undefined || preferences.has(name.toLowerCase())) continue
    preferences.set(name.toLowerCase(), token ?? quoted.replace(/\\(.)/gs, '$1'))
  }
  return preferences
}

/** Returns whether a request prefers an error to ignored parameters. */
export function isStrict ({ headers: { prefer } }: Pick<FastifyRequest, 'headers'>): boolean {
  return prefer !== undefined && readPreferences(String(prefer)).get('handling') === 'strict'
}

/** Returns a warning about a preference that needs the setting `simulate`. */
export function simulationWarning ({ headers: { prefer } }: FastifyRequest): string | undefined {
  const preferences = readPreferences(String(prefer))
  const name = ['code', 'retry-after', 'delay', 'example', 'fault', 'seed'].find(name => preferences.has(name))
  return name && `a client sends "Prefer: ${name}=", which is ignored without --simulate`
}
