import { test } from 'tap'
import { assets } from '../../src/site/layout.ts'
import { highlight, listBody } from '../../src/site/exchange.ts'
import { exchange, inJson } from '../../src/site/exchange.ts'
import { markdown } from '../../src/site/markdown.ts'
import { count, grouped, image } from '../../src/site/record.ts'
import { durationOf } from '../../src/site/tokens.ts'
import { catalogue } from '../helper.ts'

test('figures are written for people', async t => {
  t.same([count(1, 'view'), count(3228, 'view'), count(0, 'record')], ['1 view', '3,228 views', '0 records'])
  t.same(['1470', '5299.00', '12345678.9012'].map(grouped), ['1,470', '5,299.00', '12,345,678.9012'])
  t.same([1, 90, 60, 7200, 30 * 86_400].map(durationOf), ['1 second', '90 seconds', '1 minute', '2 hours', '30 days'])
})

test('an image is the first one that browsers can show, the one that is drawn, or the mark', async t => {
  const wheel = { id: 3, brand_name: 'A', model_name: '"wheel"' }
  const [path = ''] = [...catalogue.images.keys()].filter(path => path.startsWith('/media/bikes/'))
  t.match(image({ ...wheel, image_url: 'https://x.test/x.jpg' }, 'wheel', catalogue), '<img src="https://x.test/x.jpg" width="640" height="480" alt="" loading="lazy">')
  t.match(image({ id: 1, image_url: null, featured_image: path }, 'bike', catalogue, { alt: '' }), `src="${path}" srcset="${path.replace('media', 'media/full')} 2x" width="576" height="384" alt=""`)
  for (const missing of ['/media/x.jpg', 'http://x.test/x.jpg', 'https://', 'data:image/png,', 7]) {
    t.match(image({ ...wheel, image_url: missing, images: null }, 'wheel', catalogue), 'src="/media/wheels/3.jpg"')
    t.match(image({ ...wheel, id: 9999, image_url: missing }, 'wheel', catalogue), '<span class="blank"><img class="mark"')
  }
})

test('Markdown becomes a page, with headings that can be linked to', async t => {
  const page = markdown('# A\n\n## [1.0.0] – `x` & y\n\n### See `z`\n\ntext\n\n## 0.9\n\n### See z')
  t.match(page, '<h1>A</h1>')
  t.match(page, '<h2 id="v1-0-0-x-y"><a href="#v1-0-0-x-y">[1.0.0] – <code>x</code> &amp; y</a></h2>')
  t.match(page, '<h3 id="v1-0-0-x-y-see-z"><a href="#v1-0-0-x-y-see-z">See <code>z</code></a></h3>')
  t.match(page, '<h3 id="v0-9-see-z"><a href="#v0-9-see-z">See z</a></h3>')
})

test('of a long response the first records are shown, and none in full that is too long', async t => {
  const long = { id: 1, text: Array.from({ length: 2000 }, (_, index) => String(index)) }
  const show = (records: object[], total: number, envelope?: object) =>
    listBody({ target: '/', texts: records.map(record => JSON.stringify(record, null, 2)), total, envelope, onward: shown => `<a href="#${shown}">on</a>` })
  const body = show([long, { id: 2, title: 'two' }, long], 9)
  t.ok(body.length < 30_000)
  t.match(body, /<div class="depth-1"><details open>[^]*\n {2}…\n\},<\/pre>[^]*two[^]*<\/code>[^]*&hellip; and 7 more: <a href="#2">on<\/a><\/p>/)
  t.match(show([{ id: 1 }, { id: 2 }], 2, { count: 2 }), /<div class="depth-2">[^]*\},<\/pre>[^]*\}<\/pre><\/details>\n<\/div>/)
  t.match(show([long], 1), /1999[^]*<\/pre><\/details>\n<\/div>\n\n<pre>/)
})

test('no asset has an address of another place', async t => {
  for (const { path, body } of Object.values(assets)) t.notMatch(body.replace('http://www.w3.org/2000/svg', ''), /url\(|@import|https?:\/\/\w/, path)
})

const cases: [content: unknown, shown: string][] = [
  [{ id: 1 }, '{<b>&#34;id&#34;</b>:<var>1</var>}'],
  [['a', null, true, -1.5e3], '[<i>&#34;a&#34;</i>,<var>null</var>,<var>true</var>,<var>-1500</var>]'],
  ['<b>"&', '<i>&#34;&#60;b&#62;\\&#34;&#38;&#34;</i>'],
  ['null 1 "x": 2', '<i>&#34;null 1 \\&#34;x\\&#34;: 2&#34;</i>'],
  ['http://a/b.jpg', '&#34;<a href="http://a/b.jpg">http://a/b.jpg</a>&#34;'],
  ['http://a/" onclick', '<i>&#34;http://a/\\&#34; onclick&#34;</i>'],
  ['javascript:alert(1)', '<i>&#34;javascript:alert(1)&#34;</i>'],
  ['/media/1.jpg', '<i>&#34;/media/1.jpg&#34;</i>'],
  [{}, '{}']
]

test('JSON is shown in colours, escaped, with links only to addresses, in examples to none', async t => {
  for (const [content, shown] of cases) t.equal(highlight(JSON.stringify(content)), shown)
  t.equal(highlight('["http://localhost:3000/"]', true), '[<i>&#34;http://localhost:3000/&#34;</i>]')
  t.equal(highlight('<p>1</p>'), '&#60;p&#62;<var>1</var>&#60;/p&#62;', 'what is no JSON is escaped all the same')
})

test('an exchange leaves out what is the same everywhere, escapes, and links to the JSON that a browser can open, on this server', async t => {
  const plain = { method: 'GET', target: '/a/', origin: 'http://h', status: 200, headers: {}, needsToken: false, isOpen: true }
  const panel = exchange({ ...plain, target: '/<x>', status: 503, headers: { vary: 'Accept', 'x-frame-options': 'DENY', allow: '<GET>' } })
  t.match(panel, '<dt>Allow</dt><dd>&#60;GET&#62;</dd>\n<dt>Vary</dt>')
  t.match(panel, 'status-5">503 Service Unavailable')
  for (const text of ['DENY', '<x>']) t.notMatch(panel, text)
  for (const [change, canOpen] of [[{}, true], [{ needsToken: true }, false], [{ method: 'OPTIONS' }, false]] as const) {
    const panel = exchange({ ...plain, ...change })
    t.equal(panel.includes('href="/a/?format&#61;json"'), canOpen)
    t.equal(panel.includes('Authorization'), 'needsToken' in change)
  }
  for (const [target, json] of [['/a/', '/a/?format=json'], ['/a/?x=1', '/a/?x=1&format=json'], ['//evil.example/', '/.//evil.example/?format=json']] as const) t.equal(inJson(target), json)
})
