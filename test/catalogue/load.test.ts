import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { loadAuthored } from '../helper.ts'
import { changedDirectory, errorLines, valid, type Changes } from './changed.ts'

function assertFrozen (value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof Date) return
  const isMap = value instanceof Map
  assert.ok(isMap || Object.isFrozen(value))
  for (const inner of isMap ? value.values() : Object.values(value)) assertFrozen(inner)
}

test('the linked catalogue', async t => {
  const catalogue = await loadAuthored(valid)
  const [first, second] = catalogue.bikes

  t.strictSame(catalogue.updated, new Date('2025-04-01T00:00:00Z'))
  t.strictSame(catalogue.bikes.map(({ id }) => id), [1, 2])
  t.equal(first?.wheels, catalogue.wheels[0])
  t.equal(first?.tyre, catalogue.tyres[0])
  t.equal(first?.groupset, catalogue.groupsets[0])
  t.equal(first?.groupset?.chain, catalogue.chains[0])
  t.match(first, {
    category: { slug: 'road', name: 'Road' },
    title: 'Swift',
    image_url: '/media/bikes/swift.jpg',
    similar_bikes: [2],
    saddle: 1
  })
  t.match(second, { wheels: null, tyre: null, groupset: null, saddle: null, similar_bikes: [] })
  t.match(second, { rating: null, reviews: [], weight_kg: null })
  t.strictSame(catalogue.featured, catalogue.bikes.filter(bike => bike.is_featured))
  assertFrozen(catalogue)
})

test('different data have different digests', async t => {
  const { digest } = await loadCatalogue(valid)
  t.match(digest, /^[\da-f]{12}$/)
  t.equal((await loadCatalogue(changedDirectory(t, {}))).digest, digest)

  const changes: Changes[] = [
    { tyres: [['28', '281']] },
    { 'v2/bikes': [['Stiff', 'Stiff1']] },
    { 'media/full/bikes/swift.webp': null }
  ]
  const digests = [digest]
  for (const change of changes) digests.push((await loadCatalogue(changedDirectory(t, change))).digest)
  t.equal(new Set(digests).size, 4)
})

test('all errors of all files, in their order', async t => {
  const directory = changedDirectory(t, {
    saddles: [['"id": 1', '"id": "1"'], ['"Make"', 'null']],
    bikes: [
      ['2021', '"2021"'],
      ['"tyre": 1', '"tyre": 5'],
      ['"saddle": 1', '"saddle": 5'],
      ['"wheels": 1', '"wheels": 5']
    ],
    wheels: [['24,', '24']],
    chains: null,
    'v2/brakes': null,
    'v2/saddles': [['"width": 143', '"width": null']],
    'media/full/bikes/swift.webp': Buffer.from('RIFF')
  })
  t.strictSame(await errorLines(directory), [
    'v1/bikes.json:55:15 bikes[1].tyre (id 1) must be the id of a tyre, got 5',
    'v1/bikes.json:65:15 bikes[1].year (id 1) must be an integer, got "2021"',
    'v1/wheels.json:16:7 expected a comma, got "spoke_material"',
    'v1/chains.json is missing',
    'v1/saddles.json:7:13 saddles[0].id must be an integer, got "1"',
    'v1/saddles.json:8:16 saddles[0].brand must be a string, got null',
    'v2/saddles.json:11:18 saddles[0].measurements.width (id 1) must be a number, got null',
    'v2/brakes.json is missing',
    'media/full/bikes/swift.webp must be an image in the format webp'
  ])
})

test('directories, files, pipes and devices that cannot be read', async t => {
  t.strictSame(await errorLines('/nowhere'), ['/nowhere is missing; npm start -- init /nowhere makes one'])
  t.strictSame(await errorLines('/dev/null'), ['/dev/null is not a directory'])
  const folders = t.testdir({ v1: '', media: '' })
  t.strictSame(await errorLines(folders), ['v1 is not a directory', 'v2 is missing', 'media is not a directory'])

  const directory = changedDirectory(t, { wheels: null, tyres: null, chains: null, saddles: null })
  symlinkSync('..', join(directory, 'v1/wheels.json'))
  symlinkSync('tyres.json', join(directory, 'v1/tyres.json'))
  symlinkSync('/dev/zero', join(directory, 'v1/chains.json'))
  execFileSync('mkfifo', [join(directory, 'v1/saddles.json')])
  t.match(await errorLines(directory), [
    'v1/wheels.json is a directory, not a file',
    /^v1\/tyres\.json cannot be read: ELOOP/,
    'v1/chains.json is a pipe or device, not a file',
    'v1/saddles.json is a pipe or device, not a file'
  ])
})
