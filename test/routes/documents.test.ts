import fs from 'node:fs'
import { t, test } from 'tap'
import committed from '../../schemas/openapi.json' with { type: 'json' }
import { resources } from '../../src/lists/resources.ts'
import { version } from '../../src/package.ts'
import { readDocuments } from '../../src/site/documents.ts'
import { build, buildLogged, catalogue, replaceExport, shared } from '../helper.ts'

const { inject } = shared(t)

const html = 'text/html; charset=utf-8'

const documents: [path: string, type: string, text: string][] = [
  ['/', html, 'Bicycles and their parts'],
  ['/changelog/', html, `${version} - 2`],
  ['/versioning/', html, 'Semantic Versioning'],
  ['/docs/', html, '<h1>Documents'],
  ['/docs/contract/', html, 'contract'],
  ['/openapi.json', 'application/json', '"openapi":'],
  ['/openapi.yaml', 'application/yaml', 'openapi:']
]

test('pages and documents can be cached, revalidated and read by any script, and are not counted', async t => {
  const app = await build(t, { rateLimit: true, rateLimitV1: 1 })
  for (const [url, type, text] of documents) {
    const answer = await app.inject({ url, headers: { accept: 'application/json' } })
    t.match(answer, { statusCode: 200, body: text }, url)
    t.match(answer.headers, {
      'content-type': type, 'cache-control': 'public, max-age=300', etag: /^".+"$/,
      'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff',
      ...type === html ? { 'content-security-policy': /^default-src 'none'; / } : {}
    }, url)
    t.notOk(answer.headers['x-ratelimit-limit'], url)
    const known = await app.inject({ url, headers: { 'if-none-match': String(answer.headers.etag) } })
    t.match(known, { statusCode: 304, body: '' }, url)
    t.match(await app.inject({ method: 'HEAD', url }), {
      statusCode: 200, headers: { etag: answer.headers.etag }, body: ''
    }, url)
    for (const [accept, type] of [['text/html', html], ['*/*', 'application/json']] as const) {
      const refused = await app.inject({ method: 'POST', url, headers: { accept } })
      t.match(refused, {
        statusCode: 405,
        headers: { allow: 'GET, HEAD', 'content-type': type, 'cache-control': 'no-store' }
      }, url)
    }
  }
  for (const path of ['/docs', '/docs/contract', '/versioning']) {
    t.match(await app.inject(`${path}?x=1`), { statusCode: 301, headers: { location: `${path}/?x=1` } }, path)
  }
})

const otherPages = ['/', '/changelog/', '/versioning/', '/tokens/', '/api/v1/bikes/?format=api']

test('GET /docs/… serves every document of the package and nothing else, with links that lead somewhere', async t => {
  const read = async (url: string) => {
    const { statusCode, body, headers } = await inject(url)
    t.equal(statusCode, 200, url)
    return { body, type: headers['content-type'] }
  }
  const { body: first } = await read('/docs/')
  const [, contents = ''] = /<nav id="all-documents"[^]*?>([^]*)<\/nav>/.exec(first) ?? []
  const paths = [...contents.matchAll(/<a href="(\/docs\/[^"]*)"/g)].map(([, path = '']) => path)
  t.ok(paths.length > 10 && contents.includes('href="/openapi.json"'))
  const entries = [...paths, ...otherPages].map(async path => [path, (await read(path)).body] as const)
  const pages = new Map(await Promise.all(entries))
  const files = new Set<string>()
  t.match(pages.get('/'), 'href="/docs/reference/settings/')
  for (const [path, body] of pages) {
    if (path.startsWith('/docs/')) t.match(body, `href="${path}" aria-current="page"`, path)
    t.notMatch(body, / style=| on\w+="|<script>|<style/, path)
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    t.strictSame(ids.filter((id, index) => ids.indexOf(id) !== index), [], `each id of ${path} is unique`)
    for (const [, own = '', anchor] of body.matchAll(/(?:href|src)="(\/docs\/[^"#]*)?(?:#([^"]+))?"/g)) {
      const target = pages.get(own || path)
      if (target === undefined) files.add(own)
      else if (anchor !== undefined) t.match(target, ` id="${anchor}"`, `${path} → ${own}#${anchor}`)
    }
  }
  t.ok(files.size > 5)
  for (const file of files) {
    t.equal((await read(file)).type, file.endsWith('.png') ? 'image/png' : 'text/plain; charset=utf-8', file)
  }
  for (const path of [
    '/docs/nothing/', '/docs/package.json', '/docs/../package.json', '/docs/%2e%2e/package.json',
    '/docs/src/cli.ts'
  ]) {
    t.match(await inject({ url: path, headers: { accept: '*/*' } }), { statusCode: 404, body: 'Not found.' }, path)
  }
})

test('a document has no link to a file that is not installed, such as the examples in the image', async t => {
  replaceExport(t, fs, 'statSync', (() => undefined) as unknown as typeof fs.statSync)
  const { pages, files } = readDocuments()
  t.equal(files.size, 0)
  for (const { path, article } of pages.values()) {
    t.notMatch(article, /(?:href|src)="\/docs\/(?:examples|\.github)\//, path)
  }
})

test('the example of an issued token is a response of the server', async t => {
  const { requestBody, responses } = committed.paths['/tokens/'].post
  const sent = requestBody.content['application/x-www-form-urlencoded'].examples.label.value
  const shown = responses[200].content['application/json'].examples.issued.value
  const headers = { host: 'localhost:3000', 'content-type': 'application/x-www-form-urlencoded' }
  const issued = (await inject({
    method: 'POST', url: '/tokens/', payload: new URLSearchParams(sent).toString(), headers
  })).json<typeof shown>()
  t.same({ ...issued, token: shown.token, curl: issued.curl.replace(issued.token, shown.token) }, shown)
})

test('--token-form off: there is no form, and no page and no document mentions it', async t => {
  const { app } = await buildLogged(t, { tokenForm: false }) // unchecked: the document has /tokens/
  for (const url of ['/tokens/', '/tokens']) t.equal((await app.inject(url)).statusCode, 404, url)
  t.equal((await app.inject('/robots.txt')).body, 'User-agent: *\nDisallow: /api/\n')
  for (const url of [
    '/', '/openapi.json', '/nope/', '/api/v1/bikes/?page=1', '/api/v2/bikes/', '/api/v2/bikes/?format=api'
  ]) {
    const { body } = await app.inject({ url, headers: { accept: 'text/html,*/*' } })
    t.ok(body.length > 500, url)
    t.notMatch(body, /\/tokens\/|issueToken|IssuedToken|Issue one|the form\b/, url)
  }
  t.notMatch((await app.inject('/changelog/')).body, /"\/tokens\/"|\(\/tokens\/\)|#issueToken/)
})

test('files of pages are served with their type and max-age', async t => {
  const { body } = await inject('/')
  const assets = [...new Set([...body.matchAll(/(?:href|src)="(\/assets[^"]+)"/g)].map(([, path]) => path as string))]
  t.equal(assets.length, 4)
  for (const path of assets) {
    t.match(await inject(path), {
      statusCode: 200,
      headers: {
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': /^(?:text\/(?:css|javascript); charset=utf-8|image\/svg\+xml)$/
      }
    }, path)
  }
  for (const [path, type, body] of [
    ['/favicon.svg', 'image/svg+xml', '<svg'], ['/favicon.ico', 'image/svg+xml', '<svg'],
    ['/robots.txt', 'text/plain; charset=utf-8', 'User-agent: *\nDisallow: /api/\nDisallow: /tokens/\n']
  ] as const) {
    t.match(await inject(path), {
      statusCode: 200,
      body,
      headers: { 'cache-control': 'public, max-age=86400', 'content-type': type }
    }, path)
  }
})

test('the home page shows counts, the base URL and the state of the data; a list links to every list', async t => {
  const { body } = await inject({ url: '/', headers: { host: 'bikes.test:8080' } })
  const texts = [
    `<td class="number">${catalogue.wheels.length}</td>`, 'data-copy="the base URL">http://bikes.test:8080</pre>',
    'http://bikes.test:8080/api/v1/bikes/', catalogue.digest
  ]
  for (const text of texts) t.match(body, text, text)
  const saddles = (await inject('/api/v1/saddles/?format=api')).body
  const [, navigation = ''] = /<nav class="chips" aria-label="Lists">(.*?)<\/nav>/s.exec(saddles) ?? []
  const names = [...navigation.matchAll(/>([^<]+)<\/a>/g)].map(([, name]) => name)
  t.same(names, resources.map(({ shortName }) => shortName))
  const plain = await build(t, {}, { ...catalogue, bikes: [] })
  t.notMatch((await plain.inject('/')).body, 'class="strip"')
})

test('the home page offers a simulation only where there is one', async t => {
  t.notMatch((await inject('/')).body, /simulat|errors|fail/i)
  const { body } = await (await build(t, { simulate: true })).inject('/')
  t.match(body, /Ask it for errors, delays and odd data\.[^]*simulation on<[^]*href="\/__simulate">Make it fail/)
})

test('the documents are read again after a failure', async t => {
  const { app } = await buildLogged(t)
  const read = fs.readdirSync
  let failures = 1
  replaceExport(t, fs, 'readdirSync', ((...options: Parameters<typeof read>) => {
    if (failures-- > 0) throw new Error('EMFILE')
    return read(...options)
  }) as typeof read)
  for (const statusCode of [500, 200, 200]) t.match(await app.inject('/docs/'), { statusCode })
})

test('the OpenAPI document is made once, whatever the Host', async t => {
  const app = await build(t)
  const { readFileSync } = fs
  let reads = 0
  replaceExport(t, fs, 'readFileSync', ((...options: Parameters<typeof readFileSync>) => {
    if (String(options[0]).includes('openapi')) reads++
    return readFileSync(...options)
  }) as typeof readFileSync)
  for (const url of ['/openapi.json', '/openapi.yaml']) {
    reads = 0
    for (const host of ['a.test', 'b.test', 'c.test']) {
      t.equal((await app.inject({ url, headers: { host } })).statusCode, 200, url)
    }
    const first = reads
    await app.inject({ url, headers: { host: 'd.test' } })
    t.ok(first > 0 && first < 4 && reads === first, `${url} is read ${reads} times`)
  }
})

test('a reference has its parts in its contents, and each document a field that filters them', async t => {
  const { body } = await inject('/docs/reference/http-api/')
  for (const anchor of ['get-apiv1bikes', 'post-tokens', 'detailedbike', 'fielderrors']) {
    t.match(body, `<li class="part"><a href="#${anchor}">`, anchor)
  }
  t.match(body, /<p class="field" data-scripted><label for="filter">[^]*<input id="filter" type="search"/)
  t.notMatch((await inject('/docs/guides/simulate/')).body, 'class="part"')
})
