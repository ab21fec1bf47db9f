import type { FastifyRequest } from 'fastify'
import { readPreferences } from '../http/prefer.ts'
import { lastValue, parseQuery } from '../lists/query.ts'
import { parameterOf, preferenceNames, preferences, type PreferenceName, type Wanted } from './preferences.ts'

const parameters = new Set(preferenceNames.map(parameterOf))

/** The preferences of a request. */
export type Preferred = {
  wanted: Wanted
  /** The same as they were sent, in the order of the table. */
  sent: ReadonlyMap<PreferenceName, { text: string, byHeader: boolean }>
  /** The target without preferences. */
  target: string
  /** Describes the invalid preferences in one line; empty if all are valid. */
  ignored: string
}

/** Reads preferences from header and query. The header wins, and the last value of a repeated parameter. */
export function readPreferred ({ headers: { prefer = '' }, url }: Pick<FastifyRequest, 'headers' | 'url'>): Preferred {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const header = readPreferences(String(prefer))
  const parsed = parseQuery(query) ?? new URLSearchParams()
  const ignored = [...new Set(parsed.keys())].filter(isUnknown).map(name => `${shown(name)} is no preference`)
  const wanted = new Map<PreferenceName, unknown>()
  const sent = new Map<PreferenceName, { text: string, byHeader: boolean }>()

  for (const name of preferenceNames) {
    const { read, takes } = preferences[name]
    for (const [text, byHeader] of [[header.get(name), true], [lastValue(parsed, parameterOf(name)), false]] as const) {
      if (text === undefined || sent.has(name)) continue
      const value = read(text)
      if (value === undefined) {
        ignored.push(`${name} must be ${takes}, got ${shown(text)}`)
        continue
      }
      wanted.set(name, value)
      sent.set(name, { text, byHeader })
    }
  }
  return { wanted: Object.fromEntries(wanted), sent, target: withoutParameters(url, path, query), ignored: ignored.join('; ') }
}

const isUnknown = (name: string) => name.startsWith('__') && !parameters.has(name)

/** Quotes a text of a client for the log. */
const shown = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)

function withoutParameters (url: string, path: string, query: string): string {
  const fields = query.split('&')
  const others = fields.filter(field => ![...new URLSearchParams(field).keys()].some(name => parameters.has(name)))
  if (others.length === fields.length) return url
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}
