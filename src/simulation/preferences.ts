import type { FastifyRequest } from 'fastify'
import { hasSecret } from '../http/log.ts'
import { parameterOf, preferenceNames, readPreferences, type PreferenceName } from '../http/prefer.ts'
import { originForm, lastValue, parseQuery } from '../http/target.ts'
import { short } from '../base/text.ts'
import { isCut } from './faults.ts'
import { expects, fieldOf, readPreference, type Wanted } from './rule.ts'

/** A response, before preferences apply to it; `isList` is false for a browsable page. */
export type Head = { status: number, isList: boolean, hasBody: boolean }

const isCode = ({ code }: Wanted, { status }: Head) => status === code

/** An example lacks a page that the list may have. */
const isExample = ({ example, code }: Wanted, { status, isList }: Head) =>
  example !== undefined && isList && (status === 200 || (status === 404 && code === undefined))

/** Whether each preference was applied to a response. */
const applies: Readonly<Record<PreferenceName, (wanted: Wanted, head: Head) => boolean>> = {
  code: isCode,
  'retry-after': (wanted, head) => isCode(wanted, head) && (head.status === 429 || head.status === 503),
  delay: ({ fault }, { hasBody }) => fault !== 'drip' || hasBody,
  example: isExample,
  seed: (wanted, head) => wanted.example === 'random' && isExample(wanted, head),
  fault: ({ fault }, { hasBody }) => !isCut(fault) && hasBody
}

/** Returns whether a preference of a request, or a field of a rule, was applied to a response. */
export const isApplied = (name: PreferenceName, wanted: Wanted, head: Head): boolean =>
  wanted[fieldOf(name)] !== undefined && applies[name](wanted, head)

const parameters = new Set<string>(preferenceNames.map(parameterOf))

/** A valid preference, as sent. */
export type Sent = { readonly name: PreferenceName, readonly text: string, readonly byHeader: boolean }

export type Preferred = ReturnType<typeof readPreferred>

/**
 * Reads preferences from header and query. The header overrides the query, and the last value of a repeated parameter counts. `errors`
 * describes invalid ones by their parameters or `Prefer`, `ignored` those and unknown ones in one line. Both mask secrets.
 */
export function readPreferred ({ headers, originalUrl }: Pick<FastifyRequest, 'headers' | 'originalUrl'>, secrets: readonly string[] = []) {
  const quoted = (text: string) => JSON.stringify(hasSecret(text, secrets) ? '*' : short(text, 41))
  const [, query = ''] = originForm(originalUrl).split(/\?(.*)/s)
  const header = readPreferences(String(headers['prefer'] ?? ''))
  const parsed = parseQuery(query) ?? new URLSearchParams()
  const wanted: Record<string, unknown> = {}
  const sent: Sent[] = []
  const errors: Record<string, string[]> = {}

  for (const name of preferenceNames) {
    const field = fieldOf(name)
    for (const [text, byHeader] of [[header.get(name), true], [lastValue(parsed, parameterOf(name)), false]] as const) {
      if (text === undefined || field in wanted) continue
      const value = readPreference(name, text)
      if (value === undefined) {
        (errors[byHeader ? 'Prefer' : parameterOf(name)] ??= []).push(`${name} must be ${expects(field)}, got ${quoted(text)}.`)
      } else {
        wanted[field] = value
        sent.push({ name, text, byHeader })
      }
    }
  }
  const unknown = [...new Set(parsed.keys())].filter(name => name.startsWith('__') && !parameters.has(name))
  const ignored = [...unknown.map(name => `${quoted(name)} is not a preference.`), ...Object.values(errors).flat()].join(' ')
  return { wanted: wanted as Wanted, sent, ignored, errors }
}

/** Returns headers that list the applied preferences and prevent caching; they extend existing ones. */
export function appliedHeaders (applied: readonly Sent[], others: Readonly<Record<string, unknown>>): Record<string, string> {
  const added = { 'preference-applied': asHeader(applied), vary: applied.some(({ byHeader }) => byHeader) ? 'Prefer' : '' }
  const extended = Object.entries(added).filter(([, value]) => value !== '')
    .map(([name, value]) => [name, [others[name] ?? [], value].flat().join(', ')] as const)
  return { 'cache-control': 'no-store', ...Object.fromEntries(extended) }
}

/** Formats preferences as the value of the header. */
const asHeader = (sent: readonly Sent[]): string => sent.map(({ name, text }) => `${name}=${text}`).join(', ')

/** Formats preferences as they were sent: in the header, and in the query. */
export const textsOf = (sent: readonly Sent[]) => ({
  prefer: asHeader(sent.filter(({ byHeader }) => byHeader)),
  query: sent.filter(({ byHeader }) => !byHeader).map(({ name, text }) => `${parameterOf(name)}=${text}`).join('&')
})

/** Removes the preferences from a request target. */
export function withoutPreferences (url: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const fields = query.split('&')
  const others = fields.filter(field => ![...new URLSearchParams(field).keys()].some(name => parameters.has(name)))
  if (others.length === fields.length) return url
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}
