import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/** Matches one element of a comma-separated list; quoted commas are part of it. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/gs

/** Matches a preference: a token, an optional value, and parameters, which are ignored. */
const preference = /^([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*=[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[^"\\]|\\.)*)"))?[ \t]*(?:;.*)?$/s

/**
 * Parses a Prefer header (RFC 7240, 2; Node joins several by commas) into values by lower-case name; a missing value is empty. The first of
 * a repeated preference counts; invalid elements are ignored.
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
export function isStrict ({ headers: { prefer } }: Pick<FastifyRequest, 'headers'>): boolean {
  return prefer !== undefined && readPreferences(String(prefer)).get('handling') === 'strict'
}

/** Preferences that need the setting `simulate`. */
const simulated = ['code', 'retry-after', 'delay', 'example', 'fault']

/** Warns once when a request prefers a simulated response and the server does not simulate. */
export function createPreferWatch (logger: Logger): (request: FastifyRequest) => void {
  let hasWarned = false
  return ({ headers: { prefer } }) => {
    if (prefer === undefined || hasWarned) return
    const preferences = readPreferences(String(prefer))
    const name = simulated.find(name => preferences.has(name))
    if (name === undefined) return
    hasWarned = true
    logger.warn(`a client sends "Prefer: ${name}=", which is ignored without --simulate`)
  }
}
