import { test } from 'tap'
import { asset, assetNames } from '../../src/pages/assets.ts'
import { listBody } from '../../src/pages/body.ts'
import { count, date, grams, price } from '../../src/pages/figures.ts'
import { labelOf, select, textField } from '../../src/pages/controls.ts'
import { markdown } from '../../src/pages/articles.ts'
import { picture } from '../../src/pages/record.ts'
import { durationOf } from '../../src/pages/tokens.ts'
import { catalogue } from '../helper.ts'

test('figures are written for people', async t => {
  t.same([count(1, 'view'), count(3228, 'view'), count(0, 'record')], ['1 view', '3,228 views', '0 records'])
  t.same([grams(1470), price('5299.00'), date(new Date('2026-11-16T23:59:00Z'))], ['1,470 g', '5,299.00', '16 November 2026'])
  t.same([1, 90, 60, 7200, 30 * 86_400].map(durationOf), ['1 second', '90 seconds', '1 minute', '2 hours', '30 days'])
  t.equal(labelOf('favorites_count'), 'Favorites count')
})

test('a picture is the one that is named, the one that is drawn, or the mark', async t => {
  t.match(picture({ id: 1, image_url: '/media/x.jpg' }, 'wheels', 'A "wheel"', catalogue), '<img src="/media/x.jpg" width="640" height="480" alt="A &#34;wheel&#34;" loading="lazy">')
  t.match(picture({ id: 1, image_url: null, featured_image: '/media/b.jpg' }, 'bikes', '', catalogue), 'src="/media/b.jpg"')
  t.match(picture({ id: 3, image_url: null, images: null }, 'wheels', '', catalogue), 'src="/media/wheels/3.jpg"')
  t.match(picture({ id: 9999 }, 'wheels', '', catalogue), '<span class="blank"><img class="mark"')
})

test('Markdown becomes a page, with headings that can be linked to', async t => {
  const page = markdown('# A\n\n## [1.0.0] – `x` & y\n\n### See [z](/z)\n\ntext\n')
  t.match(page, '<h1>A</h1>')
  t.match(page, '<h2 id="1-0-0-x-y"><a href="#1-0-0-x-y">[1.0.0] – <code>x</code> &amp; y</a></h2>')
  t.match(page, /<h3 id="[^"]+"><a href="#[^"]+">See z<\/a><\/h3>/)
})

test('a choice that is none of those offered is added and escaped', async t => {
  t.match(select('a', 'A', [['', 'Any'], ['x', 'X']], 'x'), '<option value="x" selected>X</option>')
  t.match(select('a', 'A', [['', 'Any']], '"<'), '<option value="&#34;&#60;" selected>&#34;&#60;</option>')
  t.match(textField('a', 'A', '">'), 'type="text" value="&#34;&#62;"')
})

test('of a long answer the first records are shown, and none in full that is too long', async t => {
  const long = { id: 1, text: Array.from({ length: 2000 }, (_, index) => String(index)) }
  const body = listBody({ texts: [long, { id: 2, title: 'two' }, long].map(record => JSON.stringify(record, null, 2)), total: 9, envelope: undefined, address: undefined })
  t.ok(body.length < 30_000)
  t.match(body, /<details open>[^]*\n {2}…<\/pre>[^]*&hellip; and 7 more<\/p>/)
  t.match(listBody({ texts: [JSON.stringify(long, null, 2)], total: 1, envelope: undefined, address: undefined }), '1999')
})

test('no asset has an address of another place, and a script imports what is there', async t => {
  for (const name of assetNames) t.notMatch(asset(name).body.replace('http://www.w3.org/2000/svg', ''), /url\(|@import|https?:\/\/\w/, name)
  t.match(asset('reference.js').body, `from '${asset('json.js').path}'`)
  t.equal(asset('mark.svg'), asset('mark.svg'), 'read once')
})
