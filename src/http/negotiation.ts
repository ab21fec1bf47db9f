/** The formats of an answer, DRF's names: `json`, and `api` for the browsable page. In the order of preference. */
export const formats = { json: 'application/json', api: 'text/html' } as const

export type Format = keyof typeof formats

/** What an answer will look like; indent is 0 for compact JSON, at most 8. */
export type Negotiated = { format: Format, indent: number }

type MediaRange = { type: string, subtype: string, precedence: number, parameters: Map<string, string> }

/** Reads one entry of an Accept header; precedence 3 has a parameter besides q, 2 a subtype, 1 only a type. */
function readMediaRange (text: string): MediaRange {
  const [fullType = '', ...rest] = text.split(';')
  const [type = '', subtype = ''] = fullType.trim().toLowerCase().split(/\/(.*)/s)
  const parameters = new Map(rest.filter(parameter => parameter.includes('=')).map(parameter => {
    const [name = '', value = ''] = parameter.split(/=(.*)/s)
    return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/s, '$1')]
  }))
  const specific = [...parameters.keys()].some(name => name !== 'q')
  const precedence = type === '*' ? 0 : subtype === '*' ? 1 : specific ? 3 : 2
  return { type, subtype, precedence, parameters }
}

function satisfies (format: Format, { type, subtype }: MediaRange): boolean {
  const [ownType, ownSubtype] = formats[format].split('/')
  return (type === '*' || type === ownType) && (subtype === '*' || subtype === ownSubtype)
}

function readIndent (text: string | undefined): number {
  const indent = /^\s*[+-]?\d+\s*$/.test(text ?? '') ? Number(text) : 0
  return Math.max(0, Math.min(indent, 8))
}

/**
 * Chooses the format of an answer as DRF's DefaultContentNegotiation does (reference, "Negotiation by Accept"): `format`
 * narrows the choice, then the most specific group of Accept entries that fits any format decides, JSON first; q counts
 * for nothing. Gives 404 for an unknown format and 406 when nothing fits.
 */
export function negotiate (format: string | undefined, accept = '*/*'): Negotiated | 404 | 406 {
  const offered = (Object.keys(formats) as Format[]).filter(name => !format || name === format)
  if (offered.length === 0) return 404
  const ranges = accept.split(',').map(entry => readMediaRange(entry))
  for (const precedence of [3, 2, 1, 0]) {
    for (const name of offered) {
      const range = ranges.find(range => range.precedence === precedence && satisfies(name, range))
      if (range !== undefined) return { format: name, indent: name === 'json' ? readIndent(range.parameters.get('indent')) : 0 }
    }
  }
  return 406
}
