import { test } from 'tap'
import { assets } from '../../src/site/layout.ts'
import { exchange, inJson } from '../../src/site/exchange.ts'
import { highlight, jsonSection, listJson } from '../../src/site/json.ts'
import { render } from '../../src/site/documents.ts'
import { image, imagesOf, nameOf } from '../../src/site/value.ts'
import { catalogue } from '../helper.ts'

test('the images of a record are those that browsers can show, and the one that is drawn', async t => {
  const wheel = { id: 3, brand_name: 'A' }
  const [path = ''] = [...catalogue.images.keys()].filter(path => path.startsWith('/media/bikes/'))
  t.same(imagesOf({ ...wheel, image_url: 'https://x.test/x.jpg' }, 'wheels', catalogue), ['https://x.test/x.jpg', '/media/wheels/3.jpg'])
  t.same(imagesOf({ id: 0, image_url: null, featured_image: path, images: path }, 'featured', catalogue), [path])
  for (const missing of ['/media/x.jpg', 'http://x.test/x.jpg', 'https://', 'data:image/png,', 7]) {
    t.same(imagesOf({ ...wheel, id: 9999, image_url: missing }, 'wheels', catalogue), [], String(missing))
  }
  const shown = path.replace('/media/', '/thumbnails/')
  t.equal(image(path, catalogue), `<img src="${shown}" width="576" height="384" alt="" loading="lazy">`)
  t.match(image(path, catalogue, { alt: '"a"', isLarge: true }), `srcset="${shown.replace('bikes', 'full/bikes')} 2x" width="576" height="384" alt="&#34;a&#34;" fetchpriority`)
  t.match(image('https://x.test/x.jpg', catalogue, { isLarge: true }), '<img src="https://x.test/x.jpg" width="640" height="480"')
  t.match(image(undefined, catalogue), '<span class="blank"><img class="mark"')
})

const names: [record: Record<string, unknown>, name: string][] = [
  [{ title: 'a', brand: 'b' }, 'a'], [{ title: null, brand: 'Trek', model_name: 'Domane' }, 'Trek Domane'], [{ title: 7 }, '7'],
  [{ title: ' ', brand: {}, model: ' ' }, 'No. 5'], [{ id: ['x'] }, 'No. unknown'], [{ model: 'm'.repeat(5000) }, `${'m'.repeat(399)}…`]
]

test('a record has the name of its title, its brand and model, or its id', async t => {
  for (const [record, name] of names) t.equal(nameOf({ id: 5, ...record }), name, name)
})

test('Markdown becomes HTML, with the anchors of GitHub, and without links to what is not there', async t => {
  const { article, title, headings } = render('# A & `b`\n\n## [1.0.0] – `x` & y_z\n\n### See\n\n## See\n\n|a|\n|-|\n|[b](c) ![d](e)|\n\n```sh\n<x>\n```', () => undefined)
  t.equal(title, 'A &amp; b')
  t.match(headings, [{ anchor: '100--x--y_z', depth: 2 }, { anchor: 'see', depth: 3 }, { anchor: 'see-1', depth: 2 }])
  for (const text of ['<h1>A &amp; <code>b</code></h1>', '<h2 id="100--x--y_z"><a href="#100--x--y_z">[1.0.0] – <code>x</code> &amp; y_z</a></h2>', '<h2 id="see-1">', '<td>b d</td>', 'data-copy="the code">&#60;x&#62;</pre>']) t.match(article, text, text)
  t.equal(render('').title, '')
  t.match(render('[b](c)').article, '<a href="c">b</a>', 'an address stays as it is by default')
})

test('of a long response the first records are shown, with a link to the whole', async t => {
  const long = { id: 1, text: Array.from({ length: 2000 }, (_, index) => String(index)) }
  const show = (records: object[], total: number, envelope?: object) =>
    listJson({ texts: records.map(record => JSON.stringify(record, null, 2)), total, envelope }, '/whole').replace(/<\/?\w*>/g, '')
  const body = show([long, { id: 2, title: 'two' }], 9)
  t.match(body, /^ {4}"id": 1,[^]*\n {4}…\n {2}\},\n {2}… 8 more\n\]/m)
  t.match(body, 'href="/whole">Open the whole response')
  t.ok(body.length < 30_000)
  t.match(show([{ id: 1 }, { id: 2 }], 2, { count: 2 }), /data-copy="the JSON">\{\n {2}"count": 2,\n {2}"results": \[\n {4}\{\n {6}"id": 1\n {4}\},\n {4}\{\n {6}"id": 2\n {4}\}\n {2}\]\n\}/)
  t.match(show([long], 1), '/whole')
  t.match(show([], 0), '>[]')
  t.notMatch(jsonSection('JSON', `{\n  "a": "${'x'.repeat(200_000)}"\n}`), /xx|data-copy/, 'a part has no button that copies it')
})

test('no asset has an address of another place', async t => {
  for (const { path, body } of Object.values(assets)) t.notMatch(body.replace('http://www.w3.org/2000/svg', ''), /url\(|@import|https?:\/\/\w/, path)
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
  for (const [content, shown] of cases) t.equal(highlight(JSON.stringify(content)), shown, shown)
  t.equal(highlight('<p>1</p>'), '&lt;p><var>1</var>&lt;/p>', 'what is no JSON is escaped all the same')
})

test('an exchange leaves out what is the same everywhere, escapes, and links to the JSON that a browser can open, on this server', async t => {
  const plain = { method: 'GET', target: '/a/', origin: 'http://h', status: 200, headers: {}, needsToken: false, isOpen: true }
  const panel = exchange({ ...plain, target: '/<x>', status: 503, headers: { vary: 'Accept', 'x-frame-options': 'DENY', allow: '<GET>' } })
  t.match(panel, '<dt>allow</dt><dd>&#60;GET&#62;</dd>\n<dt>vary</dt>')
  t.match(panel, 'status-5">503 Service Unavailable')
  for (const text of ['DENY', '<x>']) t.notMatch(panel, text, text)
  for (const [change, canOpen] of [[{}, true], [{ needsToken: true }, false], [{ method: 'OPTIONS' }, false]] as const) {
    const panel = exchange({ ...plain, ...change })
    t.equal(panel.includes('href="/a/?format&#61;json"'), canOpen, String(canOpen))
    t.equal(panel.includes('Authorization'), 'needsToken' in change, String(canOpen))
  }
  for (const [target, json] of [['/a/', '/a/?format=json'], ['/a/?x=1', '/a/?x=1&format=json'], ['//evil.example/', '/.//evil.example/?format=json']] as const) t.equal(inJson(target), json, target)
})
