import { test } from 'tap'
import { highlight } from '../../src/pages/body.ts'

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

test('JSON is shown in colours, escaped, with links only to addresses', async t => {
  for (const [content, shown] of cases) t.equal(highlight(JSON.stringify(content)), shown)
})

test('addresses in examples are no links', async t => {
  t.equal(highlight('["http://localhost:3000/"]', true), '[<i>&#34;http://localhost:3000/&#34;</i>]')
})

test('what is no JSON is escaped all the same', async t => {
  t.equal(highlight('<p>1</p>'), '&#60;p&#62;<var>1</var>&#60;/p&#62;')
})
