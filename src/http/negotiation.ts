import type { FastifyRequest } from 'fastify'
import { readInteger, strip } from '../base/python.ts'
import { decoded } from './log.ts'
import { lastValue, parseQuery } from './target.ts'

/** Formats by DRF's names: `json`, and `api` for the browsable page. In the order of preference. */
export const formats = { json: 'application/json', api: 'text/html' } as const

export type Format = keyof typeof formats

/** The negotiated format; `indent` is 0 for compact JSON, at most 8. */
export type Negotiated = { format: Format, indent: number }

/** The ranges that match each format, with their specificity; 3 is a full type with a parameter besides q. */
const ranges: Readonly<Record<Format, ReadonlyMap<string, number>>> = {
  json: new Map([['application/json', 2], ['application/*', 1], ['*/json', 0], ['*/*', 0]]),
  api: new Map([['text/html', 2], ['text/*', 1], ['*/html', 0], ['*/*', 0]])
}

/**
 * Parses the parameters of an Accept entry, also in the form of RFC 2231, `name*=charset'language'value`; not those
 * without a value.
 */
function readParameters (texts: readonly string[]): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const parameter of texts) {
    const at = parameter.indexOf('=')
    if (at === -1) continue
    const name = strip(parameter.slice(0, at)).toLowerCase()
    const value = strip(parameter.slice(at + 1)).replace(/^"(.*)"$/s, '$1')
    if (!name.endsWith('*')) {
      parameters.set(name, value)
      continue
    }
    const extended = value.replace(/^[^']*'[^']*'([^']*)$/, (_, text: string) => decoded(text)) // others stay
    parameters.set(name.slice(0, -1), extended)
  }
  return parameters
}

/**
 * Negotiates a format as DRF's DefaultContentNegotiation does (contract F2, F3): `format` narrows the choice, then the
 * most specific group of matching Accept entries decides, JSON first; q is ignored. Returns 404 for an unknown format,
 * 406 if no format matches.
 */
export function negotiate (format: string | undefined, accept = '*/*'): Negotiated | 404 | 406 {
  const offered = (Object.keys(formats) as Format[]).filter(name => !format || name === format)
  if (offered.length === 0) return 404
  let best: Match | undefined
  for (const entry of accept.split(',')) {
    const match = readEntry(entry, offered)
    if (match !== undefined && (best === undefined || isBetter(match, best))) best = match
  }
  if (best === undefined) return 406
  return { format: best.format, indent: requestedIndent(best) }
}

/** An entry of Accept with the format that it chooses. */
type Match = { format: Format, precedence: number, parameters: ReadonlyMap<string, string> }

function readEntry (entry: string, offered: readonly Format[]): Match | undefined {
  const [name = '', ...texts] = entry.split(';')
  const range = strip(name).toLowerCase()
  const format = offered.find(known => ranges[known].has(range))
  if (format === undefined) return undefined // skips most entries of a long header early
  const parameters = readParameters(texts)
  const specificity = ranges[format].get(range) as number
  const hasParameter = parameters.size > Number(parameters.has('q'))
  return { format, precedence: specificity === 2 && hasParameter ? 3 : specificity, parameters }
}

/** Of equally specific entries, JSON wins; of the same format, the first. */
function isBetter (match: Match, best: Match): boolean {
  if (match.precedence !== best.precedence) return match.precedence > best.precedence
  return match.format === 'json' && best.format !== 'json'
}

function requestedIndent ({ format, parameters }: Match): number {
  if (format !== 'json') return 0
  const indent = readInteger(parameters.get('indent') ?? '') ?? 0
  return Math.max(0, Math.min(indent, 8))
}

/** The results for some queries and headers; null without a format. */
const negotiations = new Map<string, Negotiated | null>()
const maxNegotiations = 100

/** Negotiates the format of a request, unless that has been done; returns whether there is one. */
export function negotiateRequest (request: FastifyRequest): boolean {
  if (request.negotiated === undefined) {
    const { target, headers: { accept } } = request
    const key = `${accept}\n${target.query}`
    let negotiated = negotiations.get(key)
    if (negotiated === undefined) {
      // The router of requests without a route has another parser.
      const query = parseQuery(target.query.slice(1))
      const found = query && negotiate(lastValue(query, 'format'), accept)
      negotiated = typeof found === 'object' ? found : null
      if (negotiations.size === maxNegotiations) negotiations.clear()
      negotiations.set(key, negotiated)
    }
    request.negotiated = negotiated
  }
  return request.negotiated !== null
}
