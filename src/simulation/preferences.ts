import type { FastifyRequest } from 'fastify'
import { hasSecret } from '../http/log.ts'
import { parameterOf, preferenceNames, readPreferences, type PreferenceName } from '../http/prefer.ts'
import { originForm, lastValue, parseQuery } from '../http/target.ts'
import { short } from '../base/text.ts'
import { faultOf } from './faults.ts'
import { preferenceExpects, readPreference, ruleFieldOf, type PreferredEffect } from './rule.ts'

const parameters = new Set<string>(preferenceNames.map(parameterOf))

/** A valid preference, as sent. */
export type SentPreference = { readonly name: PreferenceName, readonly text: string, readonly byHeader: boolean }

export type Preferred = {
  readonly wanted: PreferredEffect
  readonly sent: readonly SentPreference[]
  /** The errors of invalid preferences by their parameters or `Prefer`, without secrets. */
  readonly errors: Readonly<Record<string, string[]>>
  /** The same and those of unknown parameters, in one line. */
  readonly ignored: string
}

type PreferringRequest = Pick<FastifyRequest, 'headers' | 'originalUrl'>

/** Matches a target that may have a parameter with the name of a preference, escaped or not. */
const preferring = /[?&](?:_|%5f){2}/i

const noPreferences: Preferred = { wanted: {}, sent: [], errors: {}, ignored: '' }

/**
 * Reads preferences from header and query. The header overrides the query, and the last value of a repeated parameter
 * counts.
 */
export function readPreferred (request: PreferringRequest, secrets: readonly string[]): Preferred {
  const { headers: { prefer = '' }, originalUrl } = request
  if (prefer === '' && !preferring.test(originalUrl)) return noPreferences
  const header = readPreferences(String(prefer))
  const [, queryText = ''] = originForm(originalUrl).split(/\?(.*)/s)
  const query = parseQuery(queryText) ?? new URLSearchParams()
  const wanted: Record<string, unknown> = {}
  const sent: SentPreference[] = []
  const errors: Record<string, string[]> = {}
  const quoted = (text: string) => JSON.stringify(hasSecret(text, secrets) ? '*' : short(text, 41))
  for (const name of preferenceNames) {
    const field = ruleFieldOf(name)
    const parameter = parameterOf(name)
    for (const [place, text] of [['Prefer', header.get(name)], [parameter, lastValue(query, parameter)]] as const) {
      if (text === undefined || field in wanted) continue
      const value = readPreference(name, text)
      if (value === undefined) {
        errors[place] ??= []
        errors[place].push(`${name} must be ${preferenceExpects(name)}, got ${quoted(text)}.`)
      } else {
        wanted[field] = value
        sent.push({ name, text, byHeader: place === 'Prefer' })
      }
    }
  }
  const unknown = [...new Set(query.keys())].filter(name => name.startsWith('__') && !parameters.has(name))
    .map(name => `${quoted(name)} is not a preference.`)
  const ignored = [...unknown, ...Object.values(errors).flat()].join(' ')
  return { wanted, sent, ignored, errors }
}

/** A response, before preferences apply to it; `isList` is false for an image. */
type Head = { status: number, isList: boolean, hasBody: boolean }

/** Returns the preferences of a request that were applied to a response. */
export function appliedOf ({ sent, wanted }: Preferred, { status, isList, hasBody }: Head): SentPreference[] {
  const { code, example, fault } = wanted
  const { breakBody, duration } = faultOf(fault)
  const isCode = status === code
  // An example lacks a page that the list may have.
  const isExample = isList && (status === 200 || (status === 404 && code === undefined))
  const isApplied: Readonly<Record<PreferenceName, boolean>> = {
    code: isCode,
    'retry-after': isCode && (status === 429 || status === 503),
    delay: duration === undefined || hasBody,
    example: isExample,
    seed: example === 'random' && isExample,
    fault: breakBody !== undefined && hasBody
  }
  return sent.filter(({ name }) => isApplied[name])
}

/** Returns headers that list the applied preferences and prevent caching; they extend existing ones. */
export function appliedHeaders (
  applied: readonly SentPreference[], existing: Readonly<Record<string, unknown>>
): Record<string, string> {
  const headers: Record<string, string> = { 'cache-control': 'no-store' }
  const extend = (name: string, value: string) => {
    headers[name] = [existing[name] ?? [], value].flat().join(', ')
  }
  if (applied.length > 0) extend('preference-applied', asHeader(applied))
  if (applied.some(({ byHeader }) => byHeader)) extend('vary', 'Prefer')
  return headers
}

/** Formats preferences as the value of the header. */
const asHeader = (sent: readonly SentPreference[]): string => sent.map(({ name, text }) => `${name}=${text}`).join(', ')

/** Formats preferences as they were sent: those of the header, and those of the query. */
export function textsOf (sent: readonly SentPreference[]): string[] {
  const prefer = asHeader(sent.filter(({ byHeader }) => byHeader))
  const query = sent.filter(({ byHeader }) => !byHeader).map(({ name, text }) => `${parameterOf(name)}=${text}`)
  return [prefer && `Prefer: ${prefer}`, query.join('&')].filter(Boolean)
}

/** Removes the preferences, such as `__code=503`, escaped or not, from a request target. */
export function withoutPreferences (url: string): string {
  if (!preferring.test(url)) return url
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const others = query.split('&').filter(field => {
    const [name = ''] = new URLSearchParams(`&${field}`).keys()
    return !parameters.has(name)
  })
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}
