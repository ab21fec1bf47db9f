import { microsecondsOf } from '../catalogue/timestamps.ts'
import type { Value } from './column.ts'

/** Tells whether a value fits; texts come in lower case. */
export type Test = (value: Value) => boolean

/** How a filter's value and a record's are compared, by the suffix of the parameter. */
export const comparisons = {
  '': (own: number, bound: number) => own === bound,
  __gte: (own: number, bound: number) => own >= bound,
  __lte: (own: number, bound: number) => own <= bound
}

export type Comparison = keyof typeof comparisons

/** Different words that a search may hold; each test of a filter is a bit of 32. */
export const maxWords = 20

type Kind = {
  /** What is said of text that cannot be read. */
  fault: string
  /** Whether a repeated parameter means all of its values, as if between commas, and not the last one. */
  takesSeveral?: true
  /** The tests that a record has to pass, or undefined for text that cannot be read. */
  read: (text: string, comparison: Comparison) => readonly Test[] | undefined
}

/** Compares numbers; only these kinds are compared otherwise than by equality. */
function compared (fault: string, numberOf: (text: string) => number): Kind {
  return {
    fault,
    read: (text, comparison) => {
      const bound = numberOf(text.trim())
      const holds = comparisons[comparison]
      return Number.isNaN(bound) ? undefined : [value => typeof value === 'number' && holds(value, bound)]
    }
  }
}

function distinctWords (text: string): string[] {
  return [...new Set(text.toLowerCase().split(/\s+/))].filter(word => word !== '')
}

const dateForm = /^(\d{4}-\d\d-(\d\d))(?:[T ]((?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/

/** Reads a date with or without a time as microseconds since 1970; NaN for what is none, a 31st of February too. */
export function readDate (text: string): number {
  const [, date = '', day = '', time = '00:00', zone = 'Z'] = dateForm.exec(text.toUpperCase()) ?? []
  // Date.parse takes a day that its month lacks for one of the next month.
  const isInMonth = new Date(`${date}T00:00Z`).getUTCDate() === Number(day)
  return isInMonth ? microsecondsOf(`${date}T${time}${zone}`) : NaN
}

const booleans = new Map([['true', true], ['1', true], ['false', false], ['0', false]])

const kinds = {
  /** Words, each of which must occur; ignores case. */
  search: {
    fault: `Enter at most ${maxWords} different words.`,
    read: text => {
      const words = distinctWords(text)
      return words.length > maxWords ? undefined : words.map(word => value => typeof value === 'string' && value.includes(word))
    }
  },
  /** A comma list of texts, any of which the value may be; ignores case. */
  anyOf: {
    fault: '',
    takesSeveral: true,
    read: text => {
      const wanted = new Set<Value>(text.toLowerCase().split(',').map(item => item.trim()))
      return [value => wanted.has(value)]
    }
  },
  /** `true` or `false`, in any case, or `1` or `0`. */
  boolean: {
    fault: 'Must be a valid boolean.',
    read: text => {
      const wanted = booleans.get(text.trim().toLowerCase())
      return wanted === undefined ? undefined : [value => value === wanted]
    }
  },
  integer: compared('Enter a whole number.', text => /^[+-]?\d+$/.test(text) ? Number(text) : NaN),
  decimal: compared('Enter a number.', text => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : NaN),
  /** A date, or a date with time, UTC unless it says otherwise; its number is in microseconds since 1970. */
  date: compared('Enter a valid date or date and time.', readDate)
} satisfies Record<string, Kind>

export type FilterKind = keyof typeof kinds

/** Every kind of filter; a form's control and the schema of the parameter follow from it. */
export const filterKinds: Readonly<Record<FilterKind, Kind>> = kinds
