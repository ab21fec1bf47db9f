import type { FastifyRequest } from 'fastify'

/** One element of a comma-separated list; quoted commas are part of it. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/gs

/** A preference: a token, an optional value, and parameters, which are ignored. */
const preference =
  /^([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*=[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[^"\\]|\\.)*)"))?[ \t]*(?:;.*)?$/s

/** The preferences of a simulation, in the order in which responses name them. */
export const preferenceNames = ['code', 'retry-after', 'delay', 'example', 'seed', 'fault'] as const

export type PreferenceName = typeof preferenceNames[number]

/** Returns the query parameter of a preference, for clients that cannot send headers. */
export const parameterOf = (name: PreferenceName) => `__${name}`

/**
 * Parses a Prefer header (RFC 7240, 2) into values, '' where missing, by lower-case name: the first of each. Ignores
 * invalid elements.
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

/** Returns whether a request prefers an error to ignored parameters. */
export function isStrict ({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const { prefer } = headers
  return prefer !== undefined && readPreferences(String(prefer)).get('handling') === 'strict'
}

/** Returns a warning about the first preference of a request, up to its value: it needs the setting `simulate`. */
export function simulationWarning ({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): string | undefined {
  const preferences = readPreferences(String(headers['prefer'] ?? ''))
  const parameters = new URLSearchParams(url.split(/\?(.*)/s)[1])
  const name = preferenceNames.find(name => preferences.has(name) || parameters.has(parameterOf(name)))
  if (name === undefined) return undefined
  const sent = preferences.has(name) ? `Prefer: ${name}=` : `${parameterOf(name)}=`
  return `Ignored "${sent}". Start with --simulate to enable it.`
}
