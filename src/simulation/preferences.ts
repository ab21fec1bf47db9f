import type { FastifyRequest } from 'fastify'
import { hasSecret } from '../http/log.ts'
import { parameterOf, preferenceNames, readPreferences, type PreferenceName } from '../http/prefer.ts'
import { originForm, lastValue, parseQuery } from '../http/target.ts'
import { short } from '../base/text.ts'
import { faultOf } from './faults.ts'
import { preferenceExpects, readPreference, ruleFieldOf, type PreferredEffect } from './rule.ts'

/** A response, before preferences apply to it; `isList` is false for an image. */
export type Head = { status: number, isList: boolean, hasBody: boolean }

type Applies = (wanted: PreferredEffect, head: Head) => boolean

const isCode: Applies = ({ code }, { status }) => status === code

/** An example lacks a page that the list may have. */
const isExample: Applies = ({ code }, { status, isList }) =>
  isList && (status === 200 || (status === 404 && code === undefined))

/** Whether each preference was applied to a response. */
const applies: Readonly<Record<PreferenceName, Applies>> = {
  code: isCode,
  'retry-after': (wanted, head) => isCode(wanted, head) && (head.status === 429 || head.status === 503),
  delay: ({ fault }, { hasBody }) => faultOf(fault).duration === undefined || hasBody,
  example: isExample,
  seed: (wanted, head) => wanted.example === 'random' && isExample(wanted, head),
  fault: ({ fault }, { hasBody }) => faultOf(fault).breakBody !== undefined && hasBody
}

/** Returns whether a preference of a request was applied to a response. */
export function isApplied (name: PreferenceName, wanted: PreferredEffect, head: Head): boolean {
  return wanted[ruleFieldOf(name)] !== undefined && applies[name](wanted, head)
}

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
  for (const name of preferenceNames) {
    read(name, header.get(name), true)
    read(name, lastValue(query, parameterOf(name)), false)
  }
  const names = new Set(query.keys())
  const unknown = [...names].filter(name => name.startsWith('__') && !parameters.has(name))
    .map(name => `${quoted(name)} is not a preference.`)
  const ignored = [...unknown, ...Object.values(errors).flat()].join(' ')
  return { wanted, sent, ignored, errors }

  function read (name: PreferenceName, text: string | undefined, byHeader: boolean): void {
    const field = ruleFieldOf(name)
    if (text === undefined || field in wanted) return
    const value = readPreference(name, text)
    if (value !== undefined) {
      wanted[field] = value
      sent.push({ name, text, byHeader })
      return
    }
    const place = byHeader ? 'Prefer' : parameterOf(name)
    errors[place] ??= []
    errors[place].push(`${name} must be ${preferenceExpects(name)}, got ${quoted(text)}.`)
  }

  function quoted (text: string): string {
    return JSON.stringify(hasSecret(text, secrets) ? '*' : short(text, 41))
  }
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

/** Removes the preferences from a request target. */
export function withoutPreferences (url: string): string {
  if (!preferring.test(url)) return url
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const fields = query.split('&')
  const others = fields.filter(field => !isPreference(field))
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}

/** Returns whether one field of a query is a preference, such as `__code=503`, escaped or not. */
function isPreference (field: string): boolean {
  const [name = ''] = new URLSearchParams(`&${field}`).keys()
  return parameters.has(name)
}
