import { STATUS_CODES } from 'node:http'
import { type Kind, milliseconds, oneOf, wholeNumber } from '../settings/kinds.ts'
import { examples } from './examples.ts'
import { codes, faults, isCut } from './faults.ts'

const namesOf = <Table extends object>(table: Table) => Object.keys(table) as `${keyof Table & (string | number)}`[]

const kinds = {
  code: oneOf(namesOf(codes)),
  'retry-after': wholeNumber(1, 3600),
  delay: milliseconds,
  example: oneOf(namesOf(examples)),
  seed: wholeNumber(0, 999_999),
  fault: oneOf(namesOf(faults))
}

export type PreferenceName = keyof typeof kinds

/** The valid preferences of a request or a rule. */
export type Wanted = { readonly [Name in PreferenceName]?: Exclude<ReturnType<(typeof kinds)[Name]['read']>, undefined> }

/** A response to which preferences are applied. */
export type Head = { status: number, isList: boolean, hasBody: boolean }

/** A preference for a simulated response, which the contract does not know. */
export type Preference = Kind<unknown> & {
  effect: string
  /** Values to try with their meanings; the first is the example. */
  values: ReadonlyMap<string, string>
  /** Another preference that it needs. */
  beside?: readonly [name: PreferenceName, value: string]
  /** Returns whether a response has it applied. */
  isApplied: (wanted: Wanted, head: Head) => boolean
}

const isCode = ({ code }: Wanted, { status }: Head) => status === Number(code)

/** Every preference; the server, its pages, the docs and the tests use these rows. */
export const preferences: Readonly<Record<PreferenceName, Preference>> = {
  code: {
    ...kinds.code, effect: 'that error, with its body and headers',
    values: new Map(namesOf(codes).map(code => [code, STATUS_CODES[code] as string])),
    isApplied: isCode
  },
  'retry-after': {
    ...kinds['retry-after'], effect: 'beside code 429 or 503: seconds until the next try, 1 without it',
    values: new Map([['5', 'in 5 seconds']]),
    beside: ['code', '429'],
    isApplied: (wanted, head) => isCode(wanted, head) && (head.status === 429 || head.status === 503)
  },
  delay: {
    ...kinds.delay, effect: 'a delay of the response',
    values: new Map([['2000', '2 seconds later'], ['100-3000', '0.1 to 3 seconds later']]),
    isApplied: ({ fault }, { hasBody }) => fault !== 'drip' || hasBody
  },
  example: {
    ...kinds.example, effect: 'an example in place of the list',
    values: new Map(Object.entries(examples).map(([name, { means }]) => [name, means])),
    isApplied: (_, { status, isList }) => isList && (status === 200 || status === 304)
  },
  seed: {
    ...kinds.seed, effect: 'beside example random: other records; the same ones for the same seed, 1 without it',
    values: new Map([['7', 'another list of random records']]),
    beside: ['example', 'random'],
    isApplied: ({ example }, { status, isList }) => example === 'random' && isList && (status === 200 || status === 304)
  },
  fault: {
    ...kinds.fault, effect: 'a fault of the network',
    values: new Map(Object.entries(faults)),
    isApplied: ({ fault }, { hasBody }) => fault !== undefined && !isCut(fault) && hasBody
  }
}

export const preferenceNames = namesOf(preferences)

/** The query parameter of a preference, for clients that cannot send headers. */
export const parameterOf = (name: PreferenceName): string => `__${name}`

/** Returns the Prefer header and the query for a value of a preference. */
export function askFor (name: PreferenceName, value: string): { header: string, query: string } {
  const { beside } = preferences[name]
  const all = [...beside === undefined ? [] : [beside], [name, value] as const]
  return {
    header: all.map(([name, value]) => `${name}=${value}`).join(', '),
    query: all.map(([name, value]) => `${parameterOf(name)}=${value}`).join('&')
  }
}
