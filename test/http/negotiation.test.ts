import fc from 'fast-check'
import { test } from 'tap'
import { negotiate } from '../../src/http/negotiation.ts'

type Outcome = 'json' | 'api' | 404 | 406 | `json ${number}`

const byAccept: [accept: string | undefined, outcome: Outcome][] = [
  [undefined, 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['application/*', 'json'],
  ['text/html', 'api'],
  ['text/*', 'api'],
  ['text/html,application/json', 'json'],
  ['text/html;q=0.5, application/json', 'json'],
  ['application/json;q=0.5,text/html;q=0.9', 'json'],
  ['text/html, */*', 'api'],
  ['*/*, text/html', 'api'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'api'],
  ['application/xml, */*;q=0.1', 'json'],
  ['application/json;q=0', 'json'],
  ['*/*;q=0', 'json'],
  ['APPLICATION/JSON', 'json'],
  ['text/HTML', 'api'],
  ['*/json', 'json'],
  ['application/json; version=2', 'json'],
  ['text/html;level=1, application/json', 'api'],
  ['application/json; foo=bar, text/html', 'json'],
  ['text/*; level=1, application/json', 'json'],
  ['application/*; foo=bar, text/html', 'api'],
  ['application/json,', 'json'],
  ['application/json;', 'json'],
  ['*/json, text/*', 'api'],
  ['*/*, text/*', 'api'],
  ['application/json; indent=4', 'json 4'],
  ['application/json; indent="3"', 'json 3'],
  ['application/json;indent=5', 'json 5'],
  ['*/*; indent=2', 'json 2'],
  ['application/json; indent=14"', 'json'],
  ['application/json; indent="41', 'json'],
  ['application/json; indent=99', 'json 8'],
  ['application/json; indent=-3', 'json'],
  ['application/json; indent=0', 'json'],
  ['application/json; indent=abc', 'json'],
  ['text/html; indent=4', 'api'],
  ['application/json; indent=1_0', 'json 8'],
  ['application/json; indent=\x854', 'json 4'],
  ['application/json; indent*=4', 'json 4'],
  ["application/json; indent*=utf-8''4", 'json 4'],
  ["application/json; indent*=us-ascii'en'%34", 'json 4'],
  ['text/html;q*=1, application/json', 'json'],
  ['\x85text/html\x85', 'api'],
  ['application/xml', 406],
  ['garbage', 406],
  ['*', 406],
  ['application', 406],
  ['text/', 406],
  ['', 406],
  ['application/jsonx', 406],
  ['application/problem+json', 406]
]

const byFormat: [format: string, accept: string | undefined, outcome: Outcome][] = [
  ['json', undefined, 'json'],
  ['api', undefined, 'api'],
  ['', undefined, 'json'],
  ['xml', undefined, 404],
  ['JSON', undefined, 404],
  ['html', undefined, 404],
  [' json', undefined, 404],
  ['api;x=1', undefined, 404],
  ['__proto__', undefined, 404],
  ['json', 'text/html', 406],
  ['api', 'application/json', 406],
  ['api', '*/*', 'api'],
  ['api', 'text/*', 'api'],
  ['json', 'application/xml', 406],
  ['xml', 'text/html', 404],
  ['xml', 'garbage', 404]
]

function outcomeOf (format: string | undefined, accept: string | undefined): Outcome {
  const negotiated = negotiate(format, accept)
  if (typeof negotiated === 'number') return negotiated
  return negotiated.indent === 0 ? negotiated.format : `json ${negotiated.indent}`
}

test('Accept decides as in the reference', async t => {
  for (const [accept, outcome] of byAccept) t.equal(outcomeOf(undefined, accept), outcome, String(accept))
})

test('format narrows the choice', async t => {
  for (const [format, accept, outcome] of byFormat) t.equal(outcomeOf(format, accept), outcome, `format=${format}, Accept: ${accept}`)
})

const ranges = ['application/json', 'text/html', 'text/*', '*/*', 'application/xml', 'text/html;level=1', 'application/json;q=0.1', '']

test('the order of Accept entries and their q change nothing', async () => {
  const entries = fc.uniqueArray(fc.constantFrom(...ranges), { minLength: 1 })
  const q = fc.constantFrom('', ';q=0', ';q=0.9')
  fc.assert(fc.property(entries, q, (accept, q) => {
    const forwards = accept.map(range => range === '' ? range : range + q).join(', ')
    const backwards = accept.toReversed().join(',')
    // A parameter besides q keeps its weight of 3, so that only bare ranges are given a q here.
    return outcomeOf(undefined, forwards) === outcomeOf(undefined, backwards)
  }))
})
