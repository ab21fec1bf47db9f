import fc from 'fast-check'
import { test } from 'tap'
import { negotiate, negotiateRequest } from '../../src/http/negotiation.ts'

type Outcome = 'json' | 'api' | 404 | 406 | `json ${number}`

const byAccept: [outcome: Outcome, accept: (string | undefined)[]][] = [
  ['json', [
    undefined, '*/*', 'application/json', 'application/*', 'APPLICATION/JSON', '*/json',
    'application/json,', 'application/json;',
    'text/html,application/json', 'text/html;q=0.5, application/json',
    'application/json;q=0.5,text/html;q=0.9', 'application/xml, */*;q=0.1',
    'application/json;q=0', '*/*;q=0', 'application/json; version=2', 'application/json; foo=bar, text/html',
    'text/*; level=1, application/json',
    'application/json; indent=14"', 'application/json; indent="41', 'application/json; indent=-3',
    'application/json; indent=0',
    'application/json; indent=abc', 'text/html;q*=1, application/json'
  ]],
  ['api', [
    'text/html',
    'text/*',
    'text/HTML',
    'text/html, */*',
    '*/*, text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'text/html;level=1, application/json', 'application/*; foo=bar, text/html', '*/json, text/*',
    '*/*, text/*', 'text/html; indent=4', '\x85text/html\x85'
  ]],
  ['json 2', ['*/*; indent=2']],
  ['json 3', ['application/json; indent="3"']],
  ['json 4', [
    'application/json; indent=4', 'application/json; indent=\x854', 'application/json; indent*=4',
    "application/json; indent*=utf-8''4",
    "application/json; indent*=us-ascii'en'%34"
  ]],
  ['json 5', ['application/json;indent=5']],
  ['json 8', ['application/json; indent=99', 'application/json; indent=1_0']],
  [
    406,
    ['application/xml', 'garbage', '*', 'application', 'text/', '', 'application/jsonx', 'application/problem+json']
  ]
]

const byFormat: [outcome: Outcome, questions: [format: string, accept?: string][]][] = [
  ['json', [['json'], ['']]],
  ['api', [['api'], ['api', '*/*'], ['api', 'text/*']]],
  [404, [['xml'], ['JSON'], ['html'], [' json'], ['api;x=1'], ['__proto__'], ['xml', 'text/html'], ['xml', 'garbage']]],
  [406, [['json', 'text/html'], ['api', 'application/json'], ['json', 'application/xml']]]
]

function outcomeOf (format: string | undefined, accept: string | undefined): Outcome {
  const negotiated = negotiate(format, accept)
  if (typeof negotiated === 'number') return negotiated
  return negotiated.indent === 0 ? negotiated.format : `json ${negotiated.indent}`
}

test('Accept decides as in the reference', async t => {
  for (const [outcome, accepts] of byAccept) {
    for (const accept of accepts) t.equal(outcomeOf(undefined, accept), outcome, String(accept))
  }
})

test('format narrows the choice', async t => {
  for (const [outcome, questions] of byFormat) {
    for (const [format, accept] of questions) {
      t.equal(outcomeOf(format, accept), outcome, `format=${format}, Accept: ${accept}`)
    }
  }
})

const ranges = [
  'application/json', 'text/html', 'text/*', '*/*', 'application/xml', 'text/html;level=1',
  'application/json;q=0.1', ''
]

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

test('more queries than are remembered are negotiated, each by itself', async t => {
  for (let count = 0; count < 300; count++) {
    const request = { target: { path: '/', query: `?page=${count}&format=${count % 2 ? 'api' : 'xml'}` }, headers: {} }
    t.equal(negotiateRequest(request as never), count % 2 === 1, String(count))
  }
})
