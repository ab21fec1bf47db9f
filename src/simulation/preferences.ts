import type { FastifyRequest } from 'fastify'
import { hasSecret } from '../http/log.ts'
import { readPreferences } from '../http/prefer.ts'
import { originForm } from '../http/target.ts'
import { short } from '../base/text.ts'
import { lastValue, parseQuery } from '../http/query.ts'
import { type Kind, milliseconds, oneOf, wholeNumber } from '../settings/kinds.ts'
import { examples } from './examples.ts'
import { codes, faults, isCut } from './faults.ts'

const namesOf = <Table extends object>(table: Table) => Object.keys(table) as `${keyof Table & (string | number)}`[]

/** The least and the most of preferences that are integers. */
export const ranges = { 'retry-after': [1, 3600], seed: [0, 999_999] } as const

const kinds = {
  code: oneOf(namesOf(codes)),
  'retry-after': wholeNumber(...ranges['retry-after']),
  delay: milliseconds,
  example: oneOf(namesOf(examples)),
  seed: wholeNumber(...ranges.seed),
  fault: oneOf(namesOf(faults))
}

export type PreferenceName = keyof typeof kinds

/** The valid preferences of a request or a rule. */
export type Wanted = { readonly [Name in PreferenceName]?: Exclude<ReturnType<(typeof kinds)[Name]['read']>, undefined> }

/** A response, before preferences apply to it. */
export type Head = { status: number, isList: boolean, hasBody: boolean }

/** A value of a preference, as a string. */
type Text = { readonly name: PreferenceName, readonly text: string }

/** A preference for a simulated response; none is part of the contract. */
export type Preference = Kind<unknown> & {
  /** Returns whether it was applied to a response. */
  isApplied: (wanted: Wanted, head: Head) => boolean
}

const isCode = ({ code }: Wanted, { status }: Head) => status === Number(code)

/** Every preference; rules have fields of the same values. */
export const preferences: Readonly<Record<PreferenceName, Preference>> = {
  code: { ...kinds.code, isApplied: isCode },
  'retry-after': {
    ...kinds['retry-after'], isApplied: (wanted, head) => isCode(wanted, head) && (head.status === 429 || head.status === 503)
  },
  delay: { ...kinds.delay, isApplied: ({ fault }, { hasBody }) => fault !== 'drip' || hasBody },
  example: { ...kinds.example, isApplied: (_, { status, isList }) => isList && status === 200 },
  seed: { ...kinds.seed, isApplied: ({ example }, { status, isList }) => example === 'random' && isList && status === 200 },
  fault: { ...kinds.fault, isApplied: ({ fault }, { hasBody }) => fault !== undefined && !isCut(fault) && hasBody }
}

export const preferenceNames = namesOf(preferences)

/** The query parameter of a preference, for clients that cannot send headers. */
export const parameterOf = (name: PreferenceName): string => `__${name}`

const parameters = new Set(preferenceNames.map(parameterOf))

/** Formats preferences as the value of the header. */
const asHeader = (texts: readonly Text[]): string => texts.map(({ name, text }) => `${name}=${text}`).join(', ')

/** Formats preferences as query parameters. */
const asQuery = (texts: readonly Text[]): string => texts.map(({ name, text }) => `${parameterOf(name)}=${text}`).join('&')

/** A valid preference, as sent. */
export type Sent = Text & { readonly byHeader: boolean }

export type Preferred = ReturnType<typeof readPreferred>

/**
 * Reads preferences from header and query. The header overrides the query, and the last value of a repeated parameter counts. `ignored`
 * describes invalid ones in one line, empty if all are valid; `errors` has them by parameter, or `Prefer`. Both mask secrets.
 */
export function readPreferred ({ headers, originalUrl }: Pick<FastifyRequest, 'headers' | 'originalUrl'>, secrets: readonly string[] = []) {
  const quoted = (text: string) => JSON.stringify(hasSecret(text, secrets) ? '*' : short(text, 41))
  const [, query = ''] = originForm(originalUrl).split(/\?(.*)/s)
  const header = readPreferences(String(headers['prefer'] ?? ''))
  const parsed = parseQuery(query) ?? new URLSearchParams()
  const unknown = [...new Set(parsed.keys())].filter(name => name.startsWith('__') && !parameters.has(name))
  const ignored = unknown.map(name => `${quoted(name)} is not a preference`)
  const wanted = new Map<PreferenceName, unknown>()
  const sent: Sent[] = []
  const errors: Record<string, string[]> = {}

  for (const name of preferenceNames) {
    const { read, expects } = preferences[name]
    for (const [text, byHeader] of [[header.get(name), true], [lastValue(parsed, parameterOf(name)), false]] as const) {
      if (text === undefined || wanted.has(name)) continue
      const value = read(text)
      if (value !== undefined) {
        wanted.set(name, value)
        sent.push({ name, text, byHeader })
      } else {
        const error = `${name} must be ${expects}, got ${quoted(text)}`
        ignored.push(error)
        ;(errors[byHeader ? 'Prefer' : parameterOf(name)] ??= []).push(`${error}.`)
      }
    }
  }
  return { wanted: Object.fromEntries(wanted) as Wanted, sent, ignored: ignored.join('; '), errors }
}

export const appliedTo = ({ sent, wanted }: Preferred, head: Head) => sent.filter(({ name }) => preferences[name].isApplied(wanted, head))

/** Returns headers that list the applied preferences and prevent caching; they extend existing ones. */
export function appliedHeaders (applied: readonly Sent[], others: Readonly<Record<string, unknown>>): Record<string, string> {
  const added = { 'preference-applied': asHeader(applied), vary: applied.some(({ byHeader }) => byHeader) ? 'Prefer' : '' }
  const extended = Object.entries(added).filter(([, value]) => value !== '')
    .map(([name, value]) => [name, [others[name] ?? [], value].flat().join(', ')] as const)
  return { 'cache-control': 'no-store', ...Object.fromEntries(extended) }
}

/** Formats preferences as they were sent: in the header, and in the query. */
export const textsOf = (sent: readonly Sent[]) =>
  ({ prefer: asHeader(sent.filter(({ byHeader }) => byHeader)), query: asQuery(sent.filter(({ byHeader }) => !byHeader)) })

/** Removes the preferences from a request target. */
export function withoutPreferences (url: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const fields = query.split('&')
  const others = fields.filter(field => ![...new URLSearchParams(field).keys()].some(name => parameters.has(name)))
  if (others.length === fields.length) return url
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}
