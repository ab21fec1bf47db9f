import { test } from 'tap'
import { assets } from '../../src/pages/assets.ts'
import { listBody } from '../../src/pages/body.ts'
import { count, date, grams, price } from '../../src/pages/figures.ts'
import { markdown } from '../../src/pages/markdown.ts'
import { picture } from '../../src/pages/record.ts'
import { durationOf } from '../../src/pages/tokens.ts'
import { catalogue } from '../helper.ts'

test('figures are written for people', async t => {
  t.same([count(1, 'view'), count(3228, 'view'), count(0, 'record')], ['1 view', '3,228 views', '0 records'])
  t.same([grams(1470), price('5299.00'), date(new Date('2026-11-16T23:59:00Z'))], ['1,470 g', '5,299.00', '16 November 2026'])
  t.same([1, 90, 60, 7200, 30 * 86_400].map(durationOf), ['1 second', '90 seconds', '1 minute', '2 hours', '30 days'])
})

test('a picture is the one that is named, the one that is drawn, or the mark', async t => {
  const wheel = { id: 1, brand_name: 'A', model_name: '"wheel"' }
  const bike = { id: 1, title: 'B' }
  t.match(picture({ ...wheel, image_url: '/media/x.jpg' }, 'wheel', catalogue), '<img src="/media/x.jpg" width="640" height="480" alt="Drawing of the A &#34;wheel&#34;" loading="lazy">')
  t.match(picture({ ...bike, image_url: null, featured_image: '/media/b.jpg' }, 'bike', catalogue, { alt: '' }), 'src="/media/b.jpg" width="640" height="480" alt=""')
  t.match(picture({ ...wheel, id: 3, image_url: null, images: null }, 'wheel', catalogue), 'src="/media/wheels/3.jpg"')
  t.match(picture({ ...wheel, id: 9999 }, 'wheel', catalogue), '<span class="blank"><img class="mark"')
})

test('Markdown becomes a page, with headings that can be linked to', async t => {
  const page = markdown('# A\n\n## [1.0.0] – `x` & y\n\n### See `z`\n\ntext\n\n## 0.9\n\n### See z')
  t.match(page, '<h1>A</h1>')
  t.match(page, '<h2 id="1-0-0-x-y"><a href="#1-0-0-x-y">[1.0.0] – <code>x</code> &amp; y</a></h2>')
  t.match(page, '<h3 id="1-0-0-x-y-see-z"><a href="#1-0-0-x-y-see-z">See <code>z</code></a></h3>')
  t.match(page, '<h3 id="0-9-see-z"><a href="#0-9-see-z">See z</a></h3>')
})

test('of a long answer the first records are shown, and none in full that is too long', async t => {
  const long = { id: 1, text: Array.from({ length: 2000 }, (_, index) => String(index)) }
  const body = listBody({ texts: [long, { id: 2, title: 'two' }, long].map(record => JSON.stringify(record, null, 2)), total: 9, envelope: undefined, address: undefined })
  t.ok(body.length < 30_000)
  t.match(body, /<details open>[^]*\n {2}…<\/pre>[^]*&hellip; and 7 more<\/p>/)
  t.match(listBody({ texts: [JSON.stringify(long, null, 2)], total: 1, envelope: undefined, address: undefined }), '1999')
})

test('no asset has an address of another place', async t => {
  for (const { path, body } of Object.values(assets)) t.notMatch(body.replace('http://www.w3.org/2000/svg', ''), /url\(|@import|https?:\/\/\w/, path)
})
