import { STATUS_CODES } from 'node:http'
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
