import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { loadAuthored } from '../../helper.ts'
import { changedDirectory, valid } from '../changed.ts'

const review = { id: 1, author: 'ann', title: '', body: '', date_added: '2024-03-01T00:00:00Z' }

const means: ReadonlyArray<readonly [ratings: readonly number[], mean: number | null]> = [
  [[3], 3], [[4, 5], 4.5], [[4, 4, 5], 4.3], [[5, 5, 4], 4.7], [[1, 1, 1, 2, 1, 1, 1, 1], 1.1],
  [[5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 4], 5]
]

test('a bike in detail, and one of which little is known', async t => {
  const { bikes, bikesV2 } = await loadAuthored(valid)
  const [bike] = bikes
  t.strictSame(bikesV2[0], {
    ...bike,
    rating: 4.3,
    reviews: [
      { id: 1, author: 'ann', rating: 5, title: 'Swift', body: 'Line\r\nline', date_added: '2024-02-01T00:00:00Z' },
      { id: 2, author: 'bob', rating: 5, title: '', body: '', date_added: '2024-03-01T00:00:00Z' },
      { id: 4, author: 'cy', rating: 3, title: 'Stiff', body: 'Mine too.', date_added: '2024-03-02T00:00:00.5Z' }
    ],
    weight_kg: '9.80',
    price: '1499.00',
    components: {
      crankset: { id: 1, brand: 'Make', model: 'One', weight_grams: 700, measurements: { crank_arm_length: 172.5 } },
      saddle: { id: 1, brand: 'Make', model: 'One', weight_grams: 240, measurements: { length: 250, width: 143 } },
      handlebars: { id: 1, brand: 'Make', model: 'One', weight_grams: 260, measurements: { width: 420 } },
      brakes: { id: 1, brand: 'Make', model: 'One', weight_grams: 310, measurements: {} },
      total_weight_grams: 700 + 240 + 260 + 310 + 1500 + 250 + 2500
    },
    related: {
      similar_bikes: [{ id: 2, name: 'Plain', price: null, description: '', type: 'fixed-gear', image_url: null }],
      same_brand: []
    },
    usage: {
      view_count: 10,
      favorites_count: 2,
      fitness: { gear_id: 'b1', lifetime_distance: '12.50', last_synced: '2024-03-02T00:00:00Z' }
    },
    rating_distribution: { 1: 0, 2: 0, 3: 1, 4: 0, 5: 2 },
    image_formats: [
      { format: 'jpeg', url: '/media/full/bikes/swift.jpg', width: 160, height: 107, bytes: 373 },
      { format: 'webp', url: '/media/full/bikes/swift.webp', width: 160, height: 107, bytes: 108 },
      { format: 'avif', url: '/media/full/bikes/swift.avif', width: 160, height: 107, bytes: 293 },
      { format: 'png', url: '/media/full/bikes/swift.png', width: 160, height: 107, bytes: 132 }
    ],
    specifications: [
      { name: 'Road', items: [{ label: 'Bar', value: 'drop', unit: null }] },
      { name: 'Geometry', items: [{ label: 'Stack', value: '560', unit: 'mm' }] }
    ]
  })
  t.strictSame(bike!.reviews, [], 'v1 stays as it is')

  t.match(bikesV2[1], {
    ...bikes[1],
    rating: null,
    weight_kg: null,
    price: null,
    related: { similar_bikes: [], same_brand: [] },
    image_formats: [],
    specifications: [],
    components: { crankset: null, saddle: null, handlebars: null, brakes: null, total_weight_grams: 0 }
  })
})

test('a bike without details: its number of reviews, its image, and bikes of its brand in any case', async t => {
  const formats = [{ format: 'png', url: 'https://img.example/1.png', width: 3, height: 2, bytes: 70 }]
  const { bikesV2 } = await loadAuthored(changedDirectory(t, {
    bikes: [['"review_count": 0', '"review_count": 7'], ['"Unknown Brand"', '"MÜLLER"']],
    'v2/bikes': [['"reviews": []', `"reviews": null, "image_formats": ${JSON.stringify(formats)}`]]
  }))
  t.match(bikesV2[1], {
    rating: null,
    review_count: 7,
    reviews: [],
    rating_distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
    image_formats: formats
  })
  t.strictSame(bikesV2[1]?.related.same_brand, [{
    id: 1,
    name: 'Swift',
    price: '1499.00',
    description: 'Line\r\nline',
    type: 'road',
    image_url: '/media/bikes/swift.jpg'
  }])
})

test('at most ten bikes of the same brand, never the bike itself, and the mean of ratings', async t => {
  const fileOf = (folder: string, change: (record: object, id: number) => object) => {
    const text = readFileSync(join(valid, folder, 'bikes.json'), 'utf8')
    const { bikes: [first], ...file } = JSON.parse(text) as { bikes: object[] }
    const bikes = Array.from({ length: 40 }, (_, index) => change(first!, index + 1))
    return Buffer.from(JSON.stringify({ ...file, bikes }))
  }
  let ids = 0
  const ratingsOf = (id: number) => means[id - 1]?.[0] ?? []
  const reviewsOf = (id: number) => ratingsOf(id).map(rating => ({ ...review, rating, id: ++ids }))
  const { bikesV2 } = await loadAuthored(changedDirectory(t, {
    bikes: fileOf('v1', (bike, id) => ({ ...bike, id, slug: `plain-${id}`, review_count: ratingsOf(id).length })),
    'v2/bikes': fileOf('v2', (bike, id) => ({ ...bike, id, reviews: reviewsOf(id) }))
  }))
  for (const [index, [ratings, mean]] of means.entries()) t.equal(bikesV2[index]?.rating, mean, ratings.join())
  const idsOf = (id: number) => bikesV2[id - 1]?.related.same_brand.map(({ id }) => id)
  t.strictSame(idsOf(1), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  t.strictSame(idsOf(5), [1, 2, 3, 4, 6, 7, 8, 9, 10, 11])
  t.strictSame(idsOf(40), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})
