import fc from 'fast-check'
import { test } from 'tap'
import { absolutePictures } from '../../src/lists/absolute.ts'

const origin = 'http://10.0.2.2:3000'

test('paths of pictures become absolute, and nothing else changes', async t => {
  const record = {
    image_url: '/media/a.jpg', images: null, featured_image: 'https://elsewhere.test/b.jpg', next: '/x', files: [{ url: '/media/c.png' }], description: '/media/d'
  }
  t.same(JSON.parse(absolutePictures(JSON.stringify(record), origin)), {
    ...record, image_url: `${origin}/media/a.jpg`, files: [{ url: `${origin}/media/c.png` }]
  })
})

test('a text that looks like a field with a picture stays as it is', async () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('"url":"/', '\\"url":"/x"', '"images":"/', '\\', '","url":"/'))
  fc.assert(fc.property(fc.array(text), texts => {
    const json = JSON.stringify({ description: texts.join(''), texts })
    return absolutePictures(json, origin) === json
  }))
})
