/** The formats of an answer, DRF's names: `json`, and `api` for the browsable page. In the order of preference. */
export const formats = { json: 'application/json', api: 'text/html' } as const

export type Format = keyof typeof formats

/** What an answer will look like; indent is 0 for compact JSON, at most 8. */
export type Negotiated = { format: Format, indent: number }

/** The formats whose type is in a range, with how specific it is; 3 is a whole type with a parameter besides q. */
const ranges: ReadonlyMap<string, Readonly<Partial<Record<Format, number>>>> = new Map([
  ['application/json', { json: 2 }], ['application/*', { json: 1 }], ['*/json', { json: 0 }],
  ['text/html', { api: 2 }], ['text/*', { api: 1 }], ['*/html', { api: 0 }],
  ['*/*', { json: 0, api: 0 }]
])

/** Reads what stands after the type of an Accept entry; what has no value is none. */
function readParameters (text: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const parameter of text.split(';')) {
    const at = parameter.indexOf('=')
    if (at !== -1) parameters.set(parameter.slice(0, at).trim().toLowerCase(), unquote(parameter.slice(at + 1).trim()))
  }
  return parameters
}

function unquote (text: string): string {
  return text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}

const hasOtherThanQ = (parameters: ReadonlyMap<string, string>) => parameters.size > Number(parameters.has('q'))

function readIndent (text: string | undefined): number {
  const indent = /^\s*[+-]?\d+\s*$/.test(text ?? '') ? Number(text) : 0
  return Math.max(0, Math.min(indent, 8))
}

/**
 * Chooses the format of an answer as DRF's DefaultContentNegotiation does (reference, "Negotiation by Accept"): `format`
 * narrows the choice, then the most specific group of Accept entries that fits any format decides, JSON first; q counts
 * for nothing. 404 stands for an unknown format, 406 for nothing that fits.
 */
export function negotiate (format: string | undefined, accept = '*/*'): Negotiated | 404 | 406 {
  const offered = (Object.keys(formats) as Format[]).filter(name => !format || name === format)
  if (offered.length === 0) return 404
  let best: { precedence: number, place: number, negotiated: Negotiated } | undefined
  for (const entry of accept.split(',')) {
    const end = entry.indexOf(';')
    const name = (end === -1 ? entry : entry.slice(0, end)).trim().toLowerCase()
    const range = ranges.get(name)
    if (range === undefined) continue // most entries of a long header: nothing more is read of them
    const place = offered.findIndex(format => format in range)
    const chosen = offered[place]
    if (chosen === undefined) continue
    const parameters = readParameters(end === -1 ? '' : entry.slice(end + 1))
    const known = range[chosen] as number
    const precedence = known === 2 && hasOtherThanQ(parameters) ? 3 : known
    if (best !== undefined && (precedence < best.precedence || (precedence === best.precedence && place >= best.place))) continue
    best = { precedence, place, negotiated: { format: chosen, indent: chosen === 'json' ? readIndent(parameters.get('indent')) : 0 } }
  }
  return best?.negotiated ?? 406
}
