import { readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { test } from 'tap'
import { assets } from '../../src/site/layout.ts'
import { exchangePage, inJson } from '../../src/site/exchange.ts'
import { jsonPanel, listJson, walkJson } from '../../src/site/json.ts'
import { render } from '../../src/site/documents.ts'
import { snippets } from '../../src/site/snippets.ts'
import { imagesOf, recordImage, recordName } from '../../src/site/value.ts'
import { catalogue } from '../helper.ts'

test('the images of a record are those that browsers can show, and the one that is drawn', async t => {
  const wheel = { id: 3, brand_name: 'A' }
  const [path = ''] = [...catalogue.images.keys()].filter(path => path.startsWith('/media/bikes/'))
  const own = 'https://x.test/x.jpg'
  t.same(imagesOf({ ...wheel, image_url: own }, 'wheels', catalogue), [own, '/media/wheels/3.jpg'])
  t.same(imagesOf({ id: 0, image_url: null, featured_image: path, images: path }, 'featured', catalogue), [path])
  for (const missing of ['/media/x.jpg', 'http://x.test/x.jpg', 'https://', 'data:image/png,', 7]) {
    t.same(imagesOf({ ...wheel, id: 9999, image_url: missing }, 'wheels', catalogue), [], String(missing))
  }
  const shown = path.replace('/media/', '/thumbnails/')
  t.equal(recordImage(path, catalogue), `<img src="${shown}" width="576" height="384" alt="" loading="lazy">`)
  const large = recordImage(path, catalogue, { alt: '"a"', isLarge: true })
  const full = shown.replace('bikes', 'full/bikes')
  t.match(large, `srcset="${full} 2x" width="576" height="384" alt="&#34;a&#34;" fetchpriority`)
  t.match(recordImage(own, catalogue, { isLarge: true }), `<img src="${own}" width="640" height="480"`)
  t.match(recordImage(undefined, catalogue), '<span class="blank"><img class="mark"')
})

const names: [record: Record<string, unknown>, name: string][] = [
  [{ title: 'a', brand: 'b' }, 'a'],
  [{ title: null, brand: 'Trek', model_name: 'Domane' }, 'Trek Domane'],
  [{ title: 7 }, '7'],
  [{ title: ' ', brand: {}, model: ' ' }, 'No. 5'],
  [{ id: ['x'] }, 'No. unknown'],
  [{ model: 'm'.repeat(5000) }, `${'m'.repeat(399)}…`]
]

test('a record has the name of its title, its brand and model, or its id', async t => {
  for (const [record, name] of names) t.equal(recordName({ id: 5, ...record }), name, name)
})

const markdown = `# A & \`b\`

## [1.0.0] – \`x\` & y_z

### See

## See

|a|
|-|
|[b](c) ![d](e)|

\`\`\`sh
<x>
\`\`\`

\`\`\`
<output>
\`\`\``

const fragments = [
  '<h1>A &amp; <code>b</code></h1>',
  '<h2 id="100--x--y_z"><a href="#100--x--y_z">[1.0.0] – <code>x</code> &amp; y_z</a></h2>',
  '<h2 id="see-1">', '<td>b d</td>', 'data-copy="the code">&#60;x&#62;</pre>',
  '<pre tabindex="0">&#60;output&#62;</pre>\n'
]

test('Markdown becomes HTML with the anchors of GitHub, without links to missing files', async t => {
  const { article, title, headings } = render(markdown, () => undefined)
  t.equal(title, 'A &amp; b')
  t.match(headings, [{ anchor: '100--x--y_z', depth: 2 }, { anchor: 'see', depth: 3 }, { anchor: 'see-1', depth: 2 }])
  for (const text of fragments) t.match(article, text, text)
  t.equal(render('', () => undefined).title, '')
  const commands = '`bicycle-catalogue dev`\n```sh\nnpx bicycle-catalogue check\n```'
  const asStarted = render(commands, () => undefined).article
  for (const text of ['<code>npm start -- dev</code>', 'data-copy="the code">npm start -- check</pre>']) {
    t.match(asStarted, text, 'as this server was started')
  }
  t.match(render('[b](c)', address => address).article, '<a href="c">b</a>', 'an address stays as it is')
})

test('of a long response the first records are shown, with a link to the whole', async t => {
  const long = { id: 1, text: Array.from({ length: 2000 }, (_, index) => String(index)) }
  const show = (records: object[], total: number, envelope?: object) => {
    const texts = records.map(record => JSON.stringify(record, null, 2))
    return listJson({ texts, total, envelope }, '/whole').replace(/<\/?\w*>/g, '')
  }
  const body = show([long, { id: 2, title: 'two' }], 9)
  t.match(body, /^ {4}"id": 1,[^]*\n {4}…\n {2}\},\n {2}… 8 more\n\]/m)
  t.match(body, 'href="/whole">Open the whole response')
  t.ok(body.length < 30_000)
  const page = '{\n  "count": 2,\n  "results": [\n    {\n      "id": 1\n    },\n    {\n      "id": 2\n    }\n  ]\n}'
  t.ok(show([{ id: 1 }, { id: 2 }], 2, { count: 2 }).includes(`data-copy="the JSON">${page}`))
  t.notMatch(show([long], 1), '/whole', 'a single record may be long')
  t.match(show([{ ...long, more: long }, { id: 2 }], 2), '/whole')
  t.match(show([], 0), '>[]')
  const part = jsonPanel(`{\n  "a": "${'x'.repeat(200_000)}"\n}`, '/whole')
  t.notMatch(part, /xx|data-copy/, 'a part has no button that copies it')
  t.match(part, 'href="/whole"')
})

const sources = {
  style: ['theme.css', 'frame.css', 'code.css'],
  recordsStyle: ['records.css'],
  documentsStyle: ['documents.css'],
  simulateStyle: ['simulate.css'],
  script: ['page.js'],
  simulateScript: ['simulate.js']
}

test('an asset means what its files say, without comments and indents', async t => {
  for (const [key, files] of Object.entries(sources)) {
    const { type, body } = assets[key as keyof typeof sources]
    const options = { loader: type.startsWith('text/css') ? 'css' : 'js', minify: true } as const
    const written = files.map(file => readFileSync(`assets/${file}`, 'utf8')).join('\n')
    const meaningOf = (text: string) => transformSync(text, options).code.replace(/([:,]) /g, '$1')
    t.equal(meaningOf(body), meaningOf(written), key)
    t.notMatch(body, /^\s*(?:\/\/|\/\*| )/m, key)
  }
})

test('no asset has an address of another place', async t => {
  for (const { path, body } of Object.values(assets)) {
    t.notMatch(body.replace('http://www.w3.org/2000/svg', ''), /url\(|@import|https?:\/\/\w/, path)
  }
})

const cases: [content: unknown, shown: string][] = [
  [{ id: 1 }, '{"id":<var>1</var>}'],
  [['a', null, true, -1.5e3], '[<i>"a"</i>,<var>null</var>,<var>true</var>,<var>-1500</var>]'],
  ['<b>"&', '<i>"&lt;b>\\"&amp;"</i>'],
  ['null 1 "x": 2', '<i>"null 1 \\"x\\": 2"</i>'],
  ['http://a/b.jpg', '"<a href="http://a/b.jpg">http://a/b.jpg</a>"'],
  ['http://a/" onclick', '<i>"http://a/\\" onclick"</i>'],
  ['javascript:alert(1)', '<i>"javascript:alert(1)"</i>'],
  [{}, '{}']
]

test('JSON is shown in colours, escaped, with links only to URLs', async t => {
  for (const [content, shown] of cases) t.equal(walkJson(JSON.stringify(content)), shown, shown)
  t.equal(walkJson('<p>1</p>}]'), '&lt;p><var>1</var>&lt;/p>}]', 'what is no JSON is escaped all the same')
})

test('each value without parts is found by the steps that lead to it', async t => {
  const leaves: string[] = []
  walkJson('{"a" : [1, {"b,": "[", "c": {}}, [ ]],\n"\\u0064": -1e-5, "e": {"f": null}}', (steps, text) => {
    leaves.push(`${steps.join(' ')} = ${text}`)
  })
  t.same(leaves, [
    '"a" 0 = 1', '"a" 1 "b," = "["', '"a" 1 "c" = {}', '"a" 2 = [ ]', '"\\u0064" = -1e-5', '"e" "f" = null'
  ])
})

const plain = { method: 'GET', target: '/a/', origin: 'http://h', needsToken: false }

const page = {
  title: 'a', path: '/a/', head: '', notice: '', request: plain, bar: { content: '' }, status: 503, summary: 'none',
  headers: {}, panels: [], settings: { publicUrl: undefined, simulate: false, tokenForm: false }
}

test('a response leaves out the headers that every response has, and escapes the others', async t => {
  const headers = { vary: 'Accept', 'x-frame-options': 'DENY', allow: '<GET>' }
  const response = exchangePage({ ...page, headers })
  t.match(response, '<dt>allow</dt><dd>&#60;GET&#62;</dd>\n<dt>vary</dt>')
  t.match(response, 'status-5">503 Service Unavailable')
  t.notMatch(response, 'DENY')
})

test('a request is escaped, and links to the JSON that a link can request, on this server', async t => {
  const pageOf = (request: Partial<typeof plain>) => exchangePage({ ...page, request: { ...plain, ...request } })
  t.match(pageOf({ target: '/<x>' }), '<b>GET</b> /&#60;x&#62;</code>')
  t.match(pageOf({}), 'href="/a/?format=json">Open the JSON')
  t.match(pageOf({ needsToken: true }), 'href="/a/?format=json" data-scripted>Open the JSON')
  t.notMatch(pageOf({ method: 'OPTIONS' }), 'Open the JSON')
  const addresses = [
    ['/a/', '/a/?format=json'], ['/a/?x=1', '/a/?x=1&format=json'], ['//evil.example/', '/.//evil.example/?format=json']
  ] as const
  for (const [target, json] of addresses) t.equal(inJson(target), json, target)
})

const requests: [request: Partial<typeof plain>, texts: string[]][] = [
  [{}, ["curl 'http://h/a/'", "fetch(\n  'http://h/a/'\n)", "requests.get(\n    'http://h/a/'\n)"]],
  [{ target: "/a/?b='\\" }, ["fetch(\n  'http://h/a/?b=\\'\\\\'\n)", "requests.get(\n    'http://h/a/?b=\\'\\\\'\n)"]],
  [{ method: 'POST' }, [
    "curl -X 'POST' 'http://h/a/'", "fetch(\n  'http://h/a/',\n  { method: 'POST' }\n)",
    "requests.request(\n    'POST',\n    'http://h/a/'\n)"
  ]],
  [{ needsToken: true }, [
    'curl -H "Authorization: Token $TOKEN" \'http://h/a/\'',
    // eslint-disable-next-line no-template-curly-in-string
    "fetch(\n  'http://h/a/',\n  { headers: { Authorization: `Token ${token}` } }\n)",
    "requests.get(\n    'http://h/a/',\n    headers={'Authorization': f'Token {token}'}\n)"
  ]],
  [{ method: 'OPTIONS', needsToken: true }, ["{ method: 'OPTIONS', headers: { Authorization"]]
]

test('a request as curl, fetch and Python', async t => {
  const unescape = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
  for (const [request, texts] of requests) {
    const html = unescape(snippets({ ...plain, ...request }))
    for (const text of texts) t.ok(html.includes(text), `${text} in ${html}`)
  }
})
