import type { FastifyRequest } from 'fastify'
import { test } from 'tap'
import { catalogue } from '../helper.ts'
import { parseQuery } from '../../src/http/target.ts'
import { jsonRequestOf, createListRequestParser, type ListRequest } from '../../src/lists/request.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { defaultSettings } from '../../src/settings/settings.ts'

const bikes = resources.find(({ key }) => key === 'bikesV2') as Resource

type Reader = ReturnType<typeof createListRequestParser>

type Asked = { accept?: string, origin?: string }

function ask (read: Reader, query: string, { accept, origin = 'http://x' }: Asked = {}): ListRequest {
  const headers = accept === undefined ? {} : { accept }
  const parsed: unknown = parseQuery(query.slice(1))
  return read(bikes, { origin, url: `${bikes.path}${query}`, query: parsed, headers } as FastifyRequest)
}

test('a list request is cached; the parameter or the setting selects a page', async t => {
  const read = createListRequestParser(defaultSettings, catalogue)
  const always = createListRequestParser({ ...defaultSettings, paginate: 'always' }, catalogue)
  t.equal(ask(read, '?year=2020'), ask(read, '?year=2020'))
  t.equal(ask(read, ''), ask(read, '', { accept: '*/*' }), 'no Accept takes anything')
  t.same([ask(read, '').page, ask(always, '').page, ask(always, '?page=').page], [undefined, '1', ''])
})

const same: [a: string, b: string][] = [
  ['', '?'],
  ['', '?x=1&format=json&page_size=5'],
  ['', '?Page=2&page[]=2'],
  ['?ordering=title', '?ordering=year&ordering=title,title'],
  ['?brand=trek,canyon', '?brand=trek&brand=canyon'], ['?year=2020&brand=trek', '?brand=trek&year=2020']
]

const different: [a: string, b: string][] = [
  ['', '?page='],
  ['', '?page=1'],
  ['', '?format=api'],
  ['?page=1', '?page=1&page_size=5'],
  ['?ordering=title', '?brand=title'],
  ['?search=a&brand=b', '?search=a%26brand%3Db'], ['?format=api', '?format=api&page=']
]

test('requests share a canonical text if and only if their responses are the same', async t => {
  const read = createListRequestParser(defaultSettings, catalogue)
  for (const [a, b] of same) t.equal(ask(read, a).canonical, ask(read, b).canonical, `${a} is ${b}`)
  for (const [a, b] of different) t.not(ask(read, a).canonical, ask(read, b).canonical, `${a} is not ${b}`)
  t.not(ask(read, '').canonical, ask(read, '', { accept: 'application/json; indent=2' }).canonical)
})

const asJson: [query: string, target: string][] = [
  ['?format=api', ''],
  ['?format=api&brand=&search=&ordering=', ''],
  ['?brand=trek&page=2&format=api&year=', '?brand=trek&page=2'],
  ['?page=&format=api', '?page='], ['?ordering=title&ordering=&format=api', '?ordering=title&ordering=']
]

test('the JSON list request of a browsable page equals that of its own request', async t => {
  for (const paginate of ['on-request', 'always'] as const) {
    const read = createListRequestParser({ ...defaultSettings, paginate }, catalogue)
    for (const [sent, target] of asJson) {
      const shown = jsonRequestOf(ask(read, sent))
      t.equal(shown.target, bikes.path + target, sent)
      const query = [...shown.query]
      t.same({ ...shown, query }, { ...ask(read, target), query }, `${sent} when pages come ${paginate}`)
    }
  }
})
