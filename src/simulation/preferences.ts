import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { readPreferences } from '../http/prefer.ts'
import { lastValue, parseQuery } from '../lists/query.ts'
import { type Kind, milliseconds, wholeNumber } from '../settings/kinds.ts'
import { code, codes } from './codes.ts'
import { example, examples } from './examples.ts'
import { breaks, cuts, fault, isCut } from './faults.ts'

const kinds = { code, 'retry-after': wholeNumber(1, 3600), delay: milliseconds, example, fault }

export type PreferenceName = keyof typeof kinds

/** What a request prefers, as far as it can be read. */
export type Wanted = { readonly [Name in PreferenceName]?: Exclude<ReturnType<(typeof kinds)[Name]['read']>, undefined> }

/** What is known of an answer when its head is written. */
export type Head = { status: number, isList: boolean, hasBody: boolean }

/** One thing that a client can ask of an answer, which the contract does not know. */
export type Preference = Kind<unknown> & {
  effect: string
  /** Values to try, each with what it means; the first one is the example. */
  values: ReadonlyMap<string, string>
  /** What it does nothing without. */
  beside?: readonly [name: PreferenceName, value: string]
  /** Whether an answer is as it is wanted. */
  isObeyed: (wanted: Wanted, head: Head) => boolean
}

const meanings = (rows: Readonly<Record<string, { means: string }>>) =>
  new Map(Object.entries(rows).map(([name, { means }]) => [name, means]))

const isCode = ({ code }: Wanted, { status }: Head) => status === Number(code)

/** Every preference: what reads them, the pages, the README and the tests are made from these rows. */
export const preferences: Readonly<Record<PreferenceName, Preference>> = {
  code: {
    ...kinds.code,
    effect: 'that error, with its body and headers',
    values: new Map(codes.map(code => [code, STATUS_CODES[code] as string])),
    isObeyed: isCode
  },
  'retry-after': {
    ...kinds['retry-after'],
    effect: 'beside code 429 or 503: after how many seconds to ask again, 60 without it',
    values: new Map([['5', 'in 5 seconds']]),
    beside: ['code', '429'],
    isObeyed: (wanted, head) => isCode(wanted, head) && (head.status === 429 || head.status === 503)
  },
  delay: {
    ...kinds.delay,
    effect: 'the answer begins so much later',
    values: new Map([['2000', '2 seconds later'], ['100-3000', '0.1 to 3 seconds later']]),
    isObeyed: ({ fault }, { hasBody }) => fault !== 'drip' || hasBody
  },
  example: {
    ...kinds.example,
    effect: 'another list in its place',
    values: meanings(examples),
    isObeyed: (_, { status, isList }) => isList && (status === 200 || status === 304)
  },
  fault: {
    ...kinds.fault,
    effect: 'what a bad network does to an answer',
    values: meanings({ ...cuts, ...breaks }),
    isObeyed: ({ fault }, { hasBody }) => fault !== undefined && !isCut(fault) && hasBody
  }
}

export const preferenceNames = Object.keys(preferences) as PreferenceName[]

/** The parameter that asks for the same as a preference, for those who can send no header. */
export const parameterOf = (name: PreferenceName): string => `__${name}`

/** How a value of a preference is asked for: by header, or by query. */
export function askFor (name: PreferenceName, value: string): { header: string, query: string } {
  const { beside } = preferences[name]
  const all = [...beside === undefined ? [] : [beside], [name, value] as const]
  return {
    header: all.map(([name, value]) => `${name}=${value}`).join(', '),
    query: all.map(([name, value]) => `${parameterOf(name)}=${value}`).join('&')
  }
}

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
