import { Type, type TObject, type TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { test } from 'tap'
import { nullable } from '../../../schemas/common.ts'
import { stored } from '../../../schemas/stored.ts'
import { createSource } from '../../../src/catalogue/errors/source.ts'
import { validate } from '../../../src/catalogue/authored/validate.ts'
import { runScript } from '../../run-script.ts'
import { assertErrors, type FaultCase } from '../changed.ts'

const json = (value: unknown) => Buffer.from(JSON.stringify(value))

const timestamp = 'ISO 8601 in UTC with a trailing Z, fractional seconds optional'
const imageForm = 'a path such as /media/wheels/1.jpg, or an absolute URL'
const decimalForm = (digits: number) => `decimal number with two fraction digits and at most ${digits} before the point`

const cases: readonly FaultCase[] = [
  ['array', { tyres: json([]) },
    'v1/tyres.json is a recorded list, but v1/bikes.json is in the built-in format: a directory has one format'],
  ['null', { tyres: json(null) }, 'v1/tyres.json:1:1 must be an object, got null'],
  ['no records', { tyres: json({ version: 1, updated: '2025-01-01T00:00:00Z' }) },
    'v1/tyres.json:1:1 must have the property tyres'],
  ['another version', { tyres: json({ version: 2, tyres: {}, other: 1 }) },
    'v1/tyres.json:1:12 version must be 1, got 2'],
  ['a version that is no number', { tyres: [['"version": 1', '"version": "1"']] },
    'v1/tyres.json:3:14 version must be 1, got "1"'],
  ['no version', { tyres: [['"version": 1,', '']] }, 'v1/tyres.json:1:1 must have the property version'],
  ['type or null', {
    bikes: [
      ['"wheels": 1', '"wheels": "1"'],
      ['"saddle": 1', '"saddle": { "id": 1 }'],
      ['"handlebars": 1', '"handlebars": [1]']
    ]
  },
  'v1/bikes.json:54:17 bikes[1].wheels (id 1) must be an integer or null, got "1"',
  'v1/bikes.json:85:17 bikes[1].saddle (id 1) must be an integer or null, got an object',
  'v1/bikes.json:86:21 bikes[1].handlebars (id 1) must be an integer or null, got an array'],
  ['minimum, or null', { bikes: [['"wheels": 1', '"wheels": 0'], ['"id": 2', '"id": 0']] },
    'v1/bikes.json:7:13 bikes[0].id (id 0) must be at least 1, got 0',
    'v1/bikes.json:54:17 bikes[1].wheels (id 1) must be at least 1 or null, got 0'],
  ['maximum', { bikes: [['2021', '20210']] },
    'v1/bikes.json:65:15 bikes[1].year (id 1) must be at most 2200, got 20210'],
  ['constant', { bikes: [['"published"', '"draft"']] },
    'v1/bikes.json:31:17 bikes[0].status (id 2) must be "published", got "draft"'],
  ['empty', { bikes: [['"Swift"', '""']] },
    'v1/bikes.json:60:16 bikes[1].title (id 1) must not be empty, got ""'],
  ['slug', { bikes: [['"slug": "swift"', '"slug": "Swift bike"']] },
    'v1/bikes.json:61:15 bikes[1].slug (id 1) must be letters, digits, hyphens and underscores, got "Swift bike"'],
  ['image, image or null', {
    bikes: [
      ['"featured_image": "/media/bikes/swift.jpg"', '"featured_image": "swift.jpg"'],
      ['"image_url": "/media/bikes/swift.jpg"', '"image_url": "file:///swift.jpg"']
    ]
  },
  `v1/bikes.json:58:20 bikes[1].image_url (id 1) must be ${imageForm} or null, got "file:///swift.jpg"`,
  `v1/bikes.json:66:25 bikes[1].featured_image (id 1) must be ${imageForm}, got "swift.jpg"`],
  ['decimal', { bikes: [['12.50', '12.5']] },
    `v1/bikes.json:82:36 bikes[1].fitness_lifetime_distance (id 1) must be ${decimalForm(7)}, got "12.5"`],
  ['numbers that JSON.parse changes', {
    bikes: [['"saddle": 1', '"saddle": 9007199254740993'], ['"id": 2', '"id": 1e400']],
    chains: [['"links_count": 116', '"links_count": 9007199254740992']]
  },
  'v1/bikes.json:7:13 bikes[0].id must be an integer, got Infinity',
  'v1/bikes.json:85:17 bikes[1].saddle (id 1) must be at most 9007199254740991 or null, got 9007199254740992',
  'v1/bikes.json:85:17 bikes[1].saddle (id 1) must be the id of a saddle, got 9007199254740992',
  'v1/chains.json:11:22 chains[0].links_count (id 1) must be at most 9007199254740991, got 9007199254740992'],
  ['values that no bicycle has', {
    wheels: [['"weight_grams": 1500', '"weight_grams": 1e308']],
    'v2/bikes': [['"1499.00"', '"1499000.00"'], ['"9.80"', '"1000.00"']],
    'v2/saddles': [['240', '100001'], ['143', '1e308']]
  },
  'v1/wheels.json:20:23 wheels[0].weight_grams (id 1) must be at most 100000, got 1e+308',
  `v2/bikes.json:16:16 bikes[1].price (id 1) must be ${decimalForm(6)} or null, got "1499000.00"`,
  `v2/bikes.json:17:20 bikes[1].weight_kg (id 1) must be ${decimalForm(3)} or null, got "1000.00"`,
  'v2/saddles.json:8:23 saddles[0].weight_grams (id 1) must be at most 100000, got 100001',
  'v2/saddles.json:11:18 saddles[0].measurements.width (id 1) must be at most 10000, got 1e+308'],
  ['a leap second, and no time', {
    tyres: [['2025-01-01T00:00:00Z', '2016-12-31T23:59:60Z']],
    'v2/saddles': [['2025-01-01T00:00:00Z', 'now']]
  },
  `v1/tyres.json:4:14 updated must be ${timestamp}, got "2016-12-31T23:59:60Z"`,
  `v2/saddles.json:4:14 updated must be ${timestamp}, got "now"`],
  ['timestamp', {
    bikes: [
      ['2024-02-01T00:00:00Z', '2024-02-30'],
      ['2024-03-01T00:00:00Z', '2024-03-01T00:00:00+01:00']
    ]
  },
  `v1/bikes.json:74:21 bikes[1].date_added (id 1) must be ${timestamp}, got "2024-02-30"`,
  `v1/bikes.json:75:23 bikes[1].date_updated (id 1) must be ${timestamp}, got "2024-03-01T00:00:00+01:00"`],
  ['missing property', { bikes: [['"year": 2021,', '']] },
    'v1/bikes.json:48:5 bikes[1] (id 1) must have the property year'],
  ['unknown property', {
    bikes: [
      ['"colour": "Red"', '"colour": "Red", "color/~ 1": "Red"'],
      ['"name": "Road"', '"name": "Road", "colour": 1']
    ]
  },
  'v1/bikes.json:51:25 bikes[1].category.colour (id 1) is not a known property',
  'v1/bikes.json:67:24 bikes[1]["color/~ 1"] (id 1) is not a known property'],
  ['__proto__', { bikes: [['"colour": "Red"', '"colour": "Red", "__proto__": {}']] },
    'v1/bikes.json:67:24 bikes[1].__proto__ (id 1) is not a known property'],
  ['repeated item', { bikes: [['"similar_bikes": []', '"similar_bikes": [1, 7, 1]']] },
    'v1/bikes.json:46:28 bikes[0].similar_bikes[1] (id 2) must be the id of a bike, got 7',
    'v1/bikes.json:46:31 bikes[0].similar_bikes[2] (id 2) must differ from bikes[0].similar_bikes[0], got 1'],
  ['no record', { brakes: json({ version: 1, updated: '2025-01-01T00:00:00Z', brakes: [null, 7, {}] }) },
    'v1/brakes.json:1:57 brakes[0] must be an object, got null',
    'v1/brakes.json:1:62 brakes[1] must be an object, got 7',
    'v1/brakes.json:1:64 brakes[2] must have the property id',
    'v1/brakes.json:1:64 brakes[2] must have the property brand',
    'v1/brakes.json:1:64 brakes[2] must have the property model'],
  ['no object', {
    bikes: [
      ['{\n        "name": "Road",\n        "slug": "road"\n      }', '"road"'],
      ['[\n        2\n      ]', '2']
    ]
  },
  'v1/bikes.json:50:19 bikes[1].category (id 1) must be an object, got "road"',
  'v1/bikes.json:85:24 bikes[1].similar_bikes (id 1) must be an array, got 2'],
  ['a value of 61 characters', { bikes: [['2021', JSON.stringify('long '.repeat(12).trim())]] },
    'v1/bikes.json:65:15 bikes[1].year (id 1) must be an integer, ' +
      'got "long long long long long long long long long long long lo…"']
]

test('files that break their schema', async t => {
  await assertErrors(t, cases)
})

const fields = { size: nullable(Type.Integer()), colour: nullable(Type.String()) }
const part = Type.Object(fields, { additionalProperties: false })

const messages: ReadonlyArray<readonly [schema: TSchema, value: unknown, ...messages: string[]]> = [
  [Type.Unsafe({ type: ['integer', 'null'] }), 'a', 'must be an integer or null, got "a"'],
  [Type.Unsafe({ enum: ['a', 'b', null] }), 'c', 'must be "a", "b" or null, got "c"'],
  [nullable(Type.String({ minLength: 1 })), '', 'must not be empty or null, got ""'],
  [part, { size: 'a', colour: 1, weight: 1 },
    'weight is not a known property',
    'size must be an integer or null, got "a"',
    'colour must be a string or null, got 1'],
  [Type.Array(part), [{ size: 'a', colour: 'a' }, { size: 'b', colour: 'a' }],
    '[0].size must be an integer or null, got "a"',
    '[1].size must be an integer or null, got "b"'],
  [Type.String({ pattern: '^a+$' }), 'b', 'must be a string that matches ^a+$, got "b"'],
  [Type.Array(Type.Integer(), { maxItems: 1 }), [1, 2], 'must have at most 1 items, got an array'],
  [Type.Array(Type.Integer(), { minItems: 1 }), [], 'must have at least 1 items, got an array'],
  [Type.Number({ multipleOf: 2 }), 3, 'must be multiple of 2, got 3']
]

test('messages for invalid values', async t => {
  const source = createSource('v1/parts', 'parts.json', '')
  for (const [schema, value, ...expected] of messages) {
    const errors = validate(source, schema, value)
    t.strictSame(errors.map(({ message }) => message), expected, expected.join())
  }
})

test('the schemas of the data files are JSON Schemas, and schemas/json/ is up to date', async t => {
  const ajv = addFormats.default(new Ajv({ strict: true }), ['date-time'])
  for (const schema of Object.values<TObject>(stored)) {
    t.ok(ajv.validateSchema(schema), Object.keys(schema.properties).join())
    t.notMatch(JSON.stringify(schema), 'anyOf', 'messages know no alternatives')
  }
  t.match(runScript('scripts/schemas.ts', '--check'), { status: 0, stderr: '' })
})
