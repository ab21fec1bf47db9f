import type { FastifyRequest } from 'fastify'
import { hasSecret } from '../http/log.ts'
import { readPreferences } from '../http/prefer.ts'
import { originForm } from '../http/target.ts'
import { short } from '../http/text.ts'
import { lastValue, parseQuery } from '../lists/query.ts'
import { parameterOf, preferenceNames, preferences, type Head, type PreferenceName, type Wanted } from './preferences.ts'

const parameters = new Set(preferenceNames.map(parameterOf))

/** A valid preference as it was sent. */
export type Sent = readonly [name: PreferenceName, sent: { text: string, byHeader: boolean }]

/** The preferences of a request. */
export type Preferred = {
  wanted: Wanted
  /** The same as they were sent, in the order of the table. */
  sent: ReadonlyMap<Sent[0], Sent[1]>
  /** Describes the invalid preferences in one line; empty if all are valid. */
  ignored: string
  /** The faults of the invalid preferences by parameter, or `Prefer`. */
  faults: Readonly<Record<string, string[]>>
}

/** Reads preferences from header and query. The header wins, and the last value of a repeated parameter. Faults mask secrets. */
export function readPreferred (
  { headers: { prefer = '' }, originalUrl }: Pick<FastifyRequest, 'headers' | 'originalUrl'>, secrets: readonly string[] = []
): Preferred {
  const quoted = (text: string) => JSON.stringify(hasSecret(text, secrets) ? '*' : short(text, 41))
  const [, query = ''] = originForm(originalUrl).split(/\?(.*)/s)
  const header = readPreferences(String(prefer))
  const parsed = parseQuery(query) ?? new URLSearchParams()
  const unknown = [...new Set(parsed.keys())].filter(name => name.startsWith('__') && !parameters.has(name))
  const ignored = unknown.map(name => `${quoted(name)} is no preference`)
  const wanted = new Map<PreferenceName, unknown>()
  const sent = new Map<Sent[0], Sent[1]>()
  const faults: Record<string, string[]> = {}

  for (const name of preferenceNames) {
    const { read, takes } = preferences[name]
    for (const [text, byHeader] of [[header.get(name), true], [lastValue(parsed, parameterOf(name)), false]] as const) {
      if (text === undefined || sent.has(name)) continue
      const value = read(text)
      if (value === undefined) {
        const fault = `${name} must be ${takes}, got ${quoted(text)}`
        ignored.push(fault)
        ;(faults[byHeader ? 'Prefer' : parameterOf(name)] ??= []).push(`${fault}.`)
        continue
      }
      wanted.set(name, value)
      sent.set(name, { text, byHeader })
    }
  }
  return { wanted: Object.fromEntries(wanted), sent, ignored: ignored.join('; '), faults }
}

/** Returns the preferences that a response has applied. */
export function appliedTo ({ sent, wanted }: Preferred, head: Head): Sent[] {
  return [...sent].filter(([name]) => preferences[name].isApplied(wanted, head))
}

/** Returns headers that name the applied preferences, and keep a response out of caches; they extend the others. */
export function appliedHeaders (applied: readonly Sent[], others: Readonly<Record<string, unknown>>): Record<string, string> {
  const added = { 'preference-applied': applied.map(asText), vary: applied.some(([, { byHeader }]) => byHeader) ? ['Prefer'] : [] }
  const extended = Object.entries(added).filter(([, values]) => values.length > 0)
    .map(([name, values]) => [name, [others[name] ?? [], values].flat().join(', ')] as const)
  return { 'cache-control': 'no-store', ...Object.fromEntries(extended) }
}

export const asText = ([name, { text }]: Sent): string => `${name}=${text}`

/** Writes preferences as they were sent: the value of the header, and the parameters. */
export function textsOf (sent: Iterable<Sent>): { prefer: string, query: string } {
  const all = [...sent]
  return {
    prefer: all.filter(([, { byHeader }]) => byHeader).map(asText).join(', '),
    query: all.filter(([, { byHeader }]) => !byHeader).map(([name, { text }]) => `${parameterOf(name)}=${text}`).join('&')
  }
}

/** Removes the preferences from a request target. */
export function withoutPreferences (url: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const fields = query.split('&')
  const others = fields.filter(field => ![...new URLSearchParams(field).keys()].some(name => parameters.has(name)))
  if (others.length === fields.length) return url
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}
