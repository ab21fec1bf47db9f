import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { readPreferences } from '../http/prefer.ts'
import { lastValue, parseQuery } from '../lists/query.ts'
import { parameterOf, preferenceNames, preferences, type PreferenceName, type Wanted } from './preferences.ts'

const parameters = new Set(preferenceNames.map(parameterOf))

/** What a request prefers, read once. */
export type Preferred = {
  wanted: Wanted
  /** The same as it was sent, in the order of the table. */
  sent: ReadonlyMap<PreferenceName, { text: string, byHeader: boolean }>
  /** The target without preferences. */
  target: string
  /** What cannot be read, in a line; empty when there is nothing. */
  ignored: string
}

const known = new WeakMap<IncomingMessage, Preferred>()

/** What a request prefers, by header or by query; undefined when nothing of it can be a preference, which costs little to tell. */
export function preferredBy (request: IncomingMessage): Preferred | undefined {
  const { headers: { prefer }, url = '' } = request
  if (prefer === undefined && !/[?&]__/.test(url)) return undefined
  const preferred = known.get(request) ?? readPreferred(String(prefer ?? ''), url)
  known.set(request, preferred)
  return preferred
}

/** A header beats the query; of a repeated parameter the last one counts, as everywhere. */
function readPreferred (prefer: string, url: string): Preferred {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const header = readPreferences(prefer)
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

/** A text of a client in a line of the log. */
const shown = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)

function withoutParameters (url: string, path: string, query: string): string {
  const fields = query.split('&')
  const others = fields.filter(field => ![...new URLSearchParams(field).keys()].some(name => parameters.has(name)))
  if (others.length === fields.length) return url
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}

type Fields = Record<string, string>

/**
 * Has an answer say in its head what was obeyed of what its request prefers, and be kept by nobody. Every answer passes here, whatever
 * makes it. A body of so many bytes can be changed with its fields before it is written.
 */
export function sayWhatIsObeyed (
  { method }: FastifyRequest,
  raw: ServerResponse,
  { wanted, sent }: Preferred,
  isList: boolean,
  changeBody: (fields: Fields, length: number) => void
): void {
  const writeHead = raw.writeHead.bind(raw)
  Object.assign(raw, {
    writeHead (status: number, given: OutgoingHttpHeaders | string[]) {
      const fields = fieldsOf(given)
      const length = method === 'HEAD' || status === 304 ? 0 : Number(fields['content-length'])
      const hasBody = length > 0
      const obeyed = [...sent].filter(([name]) => preferences[name].isObeyed(wanted, { status, isList, hasBody }))
      if (obeyed.length === 0) return writeHead(status, given)
      const applied = obeyed.map(([name, { text }]) => `${name}=${text}`)
      fields['preference-applied'] = [fields['preference-applied'] ?? [], applied].flat().join(', ')
      fields['cache-control'] = 'no-store'
      if (obeyed.some(([, { byHeader }]) => byHeader)) fields['vary'] = [fields['vary'] ?? [], 'Prefer'].flat().join(', ')
      if (hasBody) changeBody(fields, length)
      return writeHead(status, fields)
    }
  })
}

/** The fields of a head, which come as an object or as names and values in turn. */
function fieldsOf (given: OutgoingHttpHeaders | string[]): Fields {
  const pairs = Array.isArray(given)
    ? given.flatMap((name, index) => index % 2 === 0 ? [[name, given[index + 1]]] : [])
    : Object.entries(given)
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]))
}
