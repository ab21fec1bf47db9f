import { test } from 'tap'
import { changedDirectory, faultLines, type FaultCase } from './changed.ts'

const cases: readonly FaultCase[] = [
  ['id twice', { bikes: [['"id": 2', '"id": 1']] }, [
    'v1/bikes.json:15:23 bikes[0].review_count must be 3, the number of its reviews, got 0',
    'v1/bikes.json:49:13 bikes[1].id must differ from bikes[0].id, got 1',
    'v1/bikes.json:89:9 bikes[1].similar_bikes[0] must be the id of a bike, got 2',
    'v2/bikes.json:7:13 bikes[0].id must be the id of a v1 bike, got 2'
  ]],
  ['an id that is no number in any way', { tyres: [['"id": 1', '"id": { "toString": 1, "valueOf": 1 }']] }, [
    'v1/tyres.json:7:13 tyres[0].id must be integer, got an object'
  ]],
  ['slug twice', { bikes: [['"slug": "swift"', '"slug": "plain"']] }, [
    'v1/bikes.json:61:15 bikes[1].slug must differ from bikes[0].slug, got "plain"'
  ]],
  ['dangling', {
    bikes: [['"wheels": 1', '"wheels": 91'], ['"tyre": 1', '"tyre": 92'], ['"groupset": 1', '"groupset": 93'], ['"crankset_ref": 1', '"crankset_ref": 94'], ['"saddle": 1', '"saddle": 95'], ['"handlebars": 1', '"handlebars": 96'], ['        2\n', '        2, 97\n']],
    groupsets: [['"chain": 1', '"chain": 98'], ['"crankset_ref": null', '"crankset_ref": 99']]
  }, [
    'v1/bikes.json:54:17 bikes[1].wheels must be the id of a wheel, got 91',
    'v1/bikes.json:55:15 bikes[1].tyre must be the id of a tyre, got 92',
    'v1/bikes.json:56:19 bikes[1].groupset must be the id of a groupset, got 93',
    'v1/bikes.json:84:23 bikes[1].crankset_ref must be the id of a crankset, got 94',
    'v1/bikes.json:85:17 bikes[1].saddle must be the id of a saddle, got 95',
    'v1/bikes.json:86:21 bikes[1].handlebars must be the id of a handlebar, got 96',
    'v1/bikes.json:89:12 bikes[1].similar_bikes[1] must be the id of a bike, got 97',
    'v1/groupsets.json:10:16 groupsets[0].chain must be the id of a chain, got 98',
    'v1/groupsets.json:20:23 groupsets[0].crankset_ref must be the id of a crankset, got 99'
  ]],
  ['one id in several places', { bikes: [['        2\n', '        97, 98\n'], ['"similar_bikes": []', '"similar_bikes": [97]'], ['"saddle": 1', '"saddle": 97']] }, [
    'v1/bikes.json:46:25 bikes[0].similar_bikes[0] must be the id of a bike (and 1 more), got 97',
    'v1/bikes.json:85:17 bikes[1].saddle must be the id of a saddle, got 97',
    'v1/bikes.json:89:13 bikes[1].similar_bikes[1] must be the id of a bike, got 98'
  ]],
  ['similar to itself', { bikes: [['        2\n', '        2,\n        1\n']] }, [
    'v1/bikes.json:90:9 bikes[1].similar_bikes[1] must be another bike, got 1'
  ]],
  ['bike type is not the category', { bikes: [['"bike_type": "road"', '"bike_type": "Road"']] }, [
    'v1/bikes.json:70:20 bikes[1].bike_type must be "road" like category.slug, got "Road"'
  ]],
  ['updated before added', { bikes: [['2024-03-01T00:00:00Z', '2024-01-31T23:59:59.999Z']] }, [
    'v1/bikes.json:75:23 bikes[1].date_updated must not be before date_added "2024-02-01T00:00:00Z", got "2024-01-31T23:59:59.999Z"'
  ]],
  ['updated in the same second, before and after', { bikes: [['2024-02-01T00:00:00Z', '2024-03-01T00:00:00.5Z']] }, [
    'v1/bikes.json:75:23 bikes[1].date_updated must not be before date_added "2024-03-01T00:00:00.5Z", got "2024-03-01T00:00:00Z"',
    'v2/bikes.json:26:25 bikes[1].reviews[0].date_added must not be before the bike\'s date_added "2024-03-01T00:00:00.5Z", got "2024-02-01T00:00:00Z"',
    'v2/bikes.json:34:25 bikes[1].reviews[1].date_added must not be before the bike\'s date_added "2024-03-01T00:00:00.5Z", got "2024-03-01T00:00:00Z"'
  ]],
  ['synced before added', { bikes: [['"fitness_last_synced": "2024-03-02T00:00:00Z"', '"fitness_last_synced": "2024-01-31T23:59:59Z"']] }, [
    'v1/bikes.json:83:30 bikes[1].fitness_last_synced must not be before date_added "2024-02-01T00:00:00Z", got "2024-01-31T23:59:59Z"'
  ]],
  ['a file older than its records', { bikes: [['"updated": "2025-01-01T00:00:00Z"', '"updated": "2024-02-29T23:59:59Z"']], 'v2/bikes': [['"updated": "2025-04-01T00:00:00Z"', '"updated": "2024-03-02T00:00:00Z"']] }, [
    'v1/bikes.json:4:14 updated must not be before the newest date of its records, "2024-03-01T00:00:00Z", got "2024-02-29T23:59:59Z"',
    'v2/bikes.json:4:14 updated must not be before the newest date of its records, "2024-03-02T00:00:00.5Z", got "2024-03-02T00:00:00Z"'
  ]],
  ['a category whose first name is no text', { bikes: [['"slug": "fixed-gear"', '"slug": "road"'], ['"bike_type": "fixed-gear"', '"bike_type": "road"'], ['"name": "Fixed gear"', '"name": 7']] }, [
    'v1/bikes.json:10:17 bikes[0].category.name must be string, got 7'
  ]],
  ['a category with two names', { bikes: [['"slug": "fixed-gear"', '"slug": "road"'], ['"bike_type": "fixed-gear"', '"bike_type": "road"']] }, [
    'v1/bikes.json:51:17 bikes[1].category.name must be "Fixed gear" like bikes[0].category.name, which has the same slug, got "Road"'
  ]]
]

test('files that contradict themselves or each other', async t => {
  for (const [title, changes, lines] of cases) t.strictSame(await faultLines(changedDirectory(t, changes)), lines, title)
})
