import { test } from 'tap'
import { assertErrors, type FaultCase } from '../changed.ts'

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const file = (content: unknown) => json({ version: 1, updated: '2025-01-01T00:00:00Z', ...content as object })
const saddle = { weight_grams: 240, measurements: {} }
const review = { author: 'ann', rating: 5, title: '', body: '', date_added: '2024-03-01T00:00:00Z' }
const bike = { price: null, weight_kg: null, brakes: null, reviews: [], specifications: [] }
const missingFormat = '{ "format": "png", "url": "/media/a.png", "width": 1, "height": 1, "bytes": 1 }'

const beforeBike = 'must not be before the bike\'s date_added'
const beforeNewest = 'must not be before the newest date of its records,'
const noImage = 'must be an image below /media/ that exists, or an http(s) URL'

const cases: readonly FaultCase[] = [
  ['id twice', { bikes: [['"id": 2', '"id": 1']] },
    'v1/bikes.json:15:23 bikes[0].review_count (id 1) must be 3, the number of its reviews, got 0',
    'v1/bikes.json:49:13 bikes[1].id (id 1) must differ from bikes[0].id, got 1',
    'v1/bikes.json:89:9 bikes[1].similar_bikes[0] (id 1) must be the id of a bike, got 2',
    'v2/bikes.json:7:13 bikes[0].id (id 2) must be the id of a v1 bike, got 2'],
  ['an id that is no number in any way', { tyres: [['"id": 1', '"id": { "toString": 1, "valueOf": 1 }']] },
    'v1/tyres.json:7:13 tyres[0].id must be an integer, got an object'],
  ['slug twice', { bikes: [['"slug": "swift"', '"slug": "plain"']] },
    'v1/bikes.json:61:15 bikes[1].slug (id 1) must differ from bikes[0].slug, got "plain"'],
  ['dangling', {
    bikes: [
      ['"wheels": 1', '"wheels": 91'],
      ['"tyre": 1', '"tyre": 92'],
      ['"groupset": 1', '"groupset": 93'],
      ['"crankset_ref": 1', '"crankset_ref": 94'],
      ['"saddle": 1', '"saddle": 95'],
      ['"handlebars": 1', '"handlebars": 96'],
      ['        2\n', '        2, 97\n']
    ],
    groupsets: [['"chain": 1', '"chain": 98'], ['"crankset_ref": null', '"crankset_ref": 99']]
  },
  'v1/bikes.json:54:17 bikes[1].wheels (id 1) must be the id of a wheel, got 91',
  'v1/bikes.json:55:15 bikes[1].tyre (id 1) must be the id of a tyre, got 92',
  'v1/bikes.json:56:19 bikes[1].groupset (id 1) must be the id of a groupset, got 93',
  'v1/bikes.json:84:23 bikes[1].crankset_ref (id 1) must be the id of a crankset, got 94',
  'v1/bikes.json:85:17 bikes[1].saddle (id 1) must be the id of a saddle, got 95',
  'v1/bikes.json:86:21 bikes[1].handlebars (id 1) must be the id of a handlebar, got 96',
  'v1/bikes.json:89:12 bikes[1].similar_bikes[1] (id 1) must be the id of a bike, got 97',
  'v1/groupsets.json:10:16 groupsets[0].chain (id 1) must be the id of a chain, got 98',
  'v1/groupsets.json:20:23 groupsets[0].crankset_ref (id 1) must be the id of a crankset, got 99'],
  ['one id in several places', {
    bikes: [
      ['        2\n', '        97, 98\n'],
      ['"similar_bikes": []', '"similar_bikes": [97]'],
      ['"saddle": 1', '"saddle": 97']
    ]
  },
  'v1/bikes.json:46:25 bikes[0].similar_bikes[0] (id 2) must be the id of a bike, got 97',
  'v1/bikes.json:85:17 bikes[1].saddle (id 1) must be the id of a saddle, got 97',
  'v1/bikes.json:89:9 bikes[1].similar_bikes[0] (id 1) must be the id of a bike, got 97',
  'v1/bikes.json:89:13 bikes[1].similar_bikes[1] (id 1) must be the id of a bike, got 98'],
  ['similar to itself', { bikes: [['        2\n', '        2,\n        1\n']] },
    'v1/bikes.json:90:9 bikes[1].similar_bikes[1] (id 1) must be another bike, got 1'],
  ['bike type is not the category', { bikes: [['"bike_type": "road"', '"bike_type": "Road"']] },
    'v1/bikes.json:70:20 bikes[1].bike_type (id 1) must be "road" like category.slug, got "Road"'],
  ['updated before added, the file too', {
    bikes: [
      ['2024-03-01T00:00:00Z', '2024-01-31T23:59:59.999Z'],
      ['2025-01-01T00:00:00Z', '2024-01-31T23:59:59.999Z']
    ]
  },
  `v1/bikes.json:4:14 updated ${beforeNewest} "2024-02-01T00:00:00Z", got "2024-01-31T23:59:59.999Z"`,
  'v1/bikes.json:75:23 bikes[1].date_updated (id 1) must not be before date_added ' +
    '"2024-02-01T00:00:00Z", got "2024-01-31T23:59:59.999Z"'],
  ['updated in the same second, before and after', {
    bikes: [['2024-02-01T00:00:00Z', '2024-03-01T00:00:00.5Z']]
  },
  'v1/bikes.json:75:23 bikes[1].date_updated (id 1) must not be before date_added ' +
    '"2024-03-01T00:00:00.5Z", got "2024-03-01T00:00:00Z"',
  `v2/bikes.json:26:25 bikes[1].reviews[0].date_added (id 1) ${beforeBike} ` +
    '"2024-03-01T00:00:00.5Z", got "2024-02-01T00:00:00Z"',
  `v2/bikes.json:34:25 bikes[1].reviews[1].date_added (id 1) ${beforeBike} ` +
    '"2024-03-01T00:00:00.5Z", got "2024-03-01T00:00:00Z"'],
  ['synced before added', {
    bikes: [['"fitness_last_synced": "2024-03-02T00:00:00Z"', '"fitness_last_synced": "2024-01-31T23:59:59Z"']]
  },
  'v1/bikes.json:83:30 bikes[1].fitness_last_synced (id 1) must not be before date_added ' +
    '"2024-02-01T00:00:00Z", got "2024-01-31T23:59:59Z"'],
  ['a file older than its records', {
    bikes: [['"updated": "2025-01-01T00:00:00Z"', '"updated": "2024-02-29T23:59:59Z"']],
    'v2/bikes': [['"updated": "2025-04-01T00:00:00Z"', '"updated": "2024-03-02T00:00:00Z"']]
  },
  `v1/bikes.json:4:14 updated ${beforeNewest} "2024-03-01T00:00:00Z", got "2024-02-29T23:59:59Z"`,
  `v2/bikes.json:4:14 updated ${beforeNewest} "2024-03-02T00:00:00.5Z", got "2024-03-02T00:00:00Z"`],
  ['a category whose first name is not a string', {
    bikes: [
      ['"slug": "fixed-gear"', '"slug": "road"'],
      ['"bike_type": "fixed-gear"', '"bike_type": "road"'],
      ['"name": "Fixed gear"', '"name": 7']
    ]
  },
  'v1/bikes.json:10:17 bikes[0].category.name (id 2) must be a string, got 7'],
  ['a category with two names', {
    bikes: [['"slug": "fixed-gear"', '"slug": "road"'], ['"bike_type": "fixed-gear"', '"bike_type": "road"']]
  },
  'v1/bikes.json:51:17 bikes[1].category.name (id 1) must be "Fixed gear" like bikes[0].category.name, ' +
    'which has the same slug, got "Road"'],

  ['no id twice', { 'v2/saddles': file({ saddles: [{ id: null, ...saddle }, { id: null, ...saddle }] }) },
    'v2/saddles.json:1:64 saddles[0].id must be an integer, got null',
    'v2/saddles.json:1:113 saddles[1].id must be an integer, got null'],
  ['category twice', { 'v2/categories': [['"fixed-gear"', '"road"']] },
    'v2/categories.json:5:17 categories must have a record with the slug "fixed-gear", which v1/bikes.json has',
    'v2/categories.json:22:15 categories[1].slug must differ from categories[0].slug, got "road"'],
  ['review twice, of one bike and of two', {
    bikes: [['"review_count": 0', '"review_count": 1']],
    'v2/bikes': [
      ['"reviews": []', `"reviews": [${JSON.stringify({ id: 4, ...review })}]`],
      ['"id": 2,\n          "author"', '"id": 1,\n          "author"']
    ]
  },
  'v2/bikes.json:29:17 bikes[1].reviews[1].id (id 1) must differ from bikes[1].reviews[0].id, got 1',
  'v2/bikes.json:37:17 bikes[1].reviews[2].id (id 1) must differ from bikes[0].reviews[0].id, got 4'],

  ['dangling', {
    'v2/bikes': [['"brakes": 1', '"brakes": 7']],
    'v2/cranksets': file({ cranksets: [{ id: 1, ...saddle }, { id: 2, ...saddle }] })
  },
  'v2/bikes.json:18:17 bikes[1].brakes (id 1) must be the id of a v1 brake, got 7',
  'v2/cranksets.json:1:112 cranksets[1].id (id 2) must be the id of a v1 crankset, got 2'],
  ['another id', { 'v2/brakes': [['"id": 1', '"id": 2']], 'v2/handlebars': [['"id": 1', '"id": 3']] },
    'v2/handlebars.json:5:17 handlebars must have a record with the id 1, which v1/handlebars.json has',
    'v2/handlebars.json:7:13 handlebars[0].id (id 3) must be the id of a v1 handlebar, got 3',
    'v2/brakes.json:5:13 brakes must have a record with the id 1, which v1/brakes.json has',
    'v2/brakes.json:7:13 brakes[0].id (id 2) must be the id of a v1 brake, got 2'],
  ['no records', { 'v2/bikes': file({ bikes: [] }), 'v2/categories': file({ categories: [] }) },
    'v2/bikes.json:1:55 bikes must have a record with the id 2, which v1/bikes.json has',
    'v2/bikes.json:1:55 bikes must have a record with the id 1, which v1/bikes.json has',
    'v2/categories.json:1:60 categories must have a record with the slug "fixed-gear", which v1/bikes.json has',
    'v2/categories.json:1:60 categories must have a record with the slug "road", which v1/bikes.json has'],
  ['a category of its own', {
    'v2/categories': [['"categories": [', '"categories": [{ "slug": "gravel", "specifications": [] },']]
  }],
  ['ids that are not known', {
    brakes: null,
    saddles: [['"id": 1', '"id": "1"']],
    'v2/handlebars': [['"id": 1', '"id": null']],
    'v2/categories': [['"road"', '7']]
  },
  'v1/brakes.json is missing',
  'v1/saddles.json:7:13 saddles[0].id must be an integer, got "1"',
  'v2/handlebars.json:7:13 handlebars[0].id must be an integer, got null',
  'v2/categories.json:7:15 categories[0].slug must be a string, got 7'],

  ['number of reviews', {
    bikes: [['"review_count": 0', '"review_count": 1'], ['"review_count": 3', '"review_count": 2']]
  },
  'v1/bikes.json:15:23 bikes[0].review_count (id 2) must be 0, the number of its reviews, got 1',
  'v1/bikes.json:57:23 bikes[1].review_count (id 1) must be 3, the number of its reviews, got 2'],
  ['review before the bike', { 'v2/bikes': [['2024-02-01T00:00:00Z', '2024-01-31T23:59:59.999Z']] },
    `v2/bikes.json:26:25 bikes[1].reviews[0].date_added (id 1) ${beforeBike} ` +
      '"2024-02-01T00:00:00Z", got "2024-01-31T23:59:59.999Z"'],

  ['unknown reviews, which are not counted', {
    'v2/bikes': [['"reviews": []', '"reviews": null']],
    bikes: [['"review_count": 0', '"review_count": 7']]
  }],
  ['formats of a missing image', {
    'v2/bikes': [['"specifications": []', `"image_formats": [null, ${missingFormat}], "specifications": []`]]
  },
  'v2/bikes.json:12:25 bikes[0].image_formats[0] (id 2) must be an object, got null',
  `v2/bikes.json:12:57 bikes[0].image_formats[1].url (id 2) ${noImage}, got "/media/a.png"`],
  ['no reviews', {
    'v2/bikes': file({
      bikes: [
        { id: 1, ...bike, reviews: {} },
        { id: 2, ...bike, reviews: [null, { ...review, id: 'a' }, { ...review, id: 'a' }] }
      ]
    }),
    bikes: [['"review_count": 0', '"review_count": 3']]
  },
  'v2/bikes.json:1:118 bikes[0].reviews (id 1) must be an array or null, got an object',
  'v2/bikes.json:1:205 bikes[1].reviews[0] (id 2) must be an object, got null',
  'v2/bikes.json:1:299 bikes[1].reviews[1].id (id 2) must be an integer, got "a"',
  'v2/bikes.json:1:393 bikes[1].reviews[2].id (id 2) must be an integer, got "a"']
]

test('files that contradict themselves or each other', async t => {
  await assertErrors(t, cases)
})
