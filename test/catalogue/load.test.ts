import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import type { TObject } from '@sinclair/typebox'
import { CatalogueFaults } from '../../src/catalogue/fault.ts'
import { faultsOf, readDataFiles } from '../../src/catalogue/files.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { storedV1 } from '../../schemas/stored.ts'
import { Bike } from '../../schemas/v1/bike.ts'
import { Chain } from '../../schemas/v1/chain.ts'
import { Groupset } from '../../schemas/v1/groupset.ts'
import { Brake, Crankset, Handlebar, Saddle } from '../../schemas/v1/make.ts'
import { Tyre } from '../../schemas/v1/tyre.ts'
import { Wheel } from '../../schemas/v1/wheel.ts'
import { changedDirectory, faultLines, valid } from './changed.ts'

const schemas: Readonly<Record<keyof typeof storedV1, TObject>> = {
  bikes: Bike,
  wheels: Wheel,
  tyres: Tyre,
  chains: Chain,
  groupsets: Groupset,
  brakes: Brake,
  saddles: Saddle,
  handlebars: Handlebar,
  cranksets: Crankset
}

function assertFrozen (value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof Date) return
  assert.ok(Object.isFrozen(value))
  Object.values(value).forEach(assertFrozen)
}

test('the linked catalogue', async t => {
  const catalogue = await loadCatalogue(valid)
  const [first, second] = catalogue.bikes

  t.strictSame(catalogue.updated, new Date('2025-03-01T00:00:00Z'))
  t.strictSame(catalogue.bikes.map(({ id }) => id), [1, 2])
  t.equal(first?.wheels, catalogue.wheels[0])
  t.equal(first?.tyre, catalogue.tyres[0])
  t.equal(first?.groupset, catalogue.groupsets[0])
  t.equal(first?.groupset?.chain, catalogue.chains[0])
  t.match(first, { category: { slug: 'road', name: 'Road' }, title: 'Swift', image_url: '/media/bikes/swift.jpg', similar_bikes: [2], saddle: 1 })
  t.match(second, { wheels: null, tyre: null, groupset: null, rating: null, reviews: [], weight_kg: null, saddle: null, similar_bikes: [] })
  for (const [resource, schema] of Object.entries(schemas)) {
    const records = catalogue[resource as keyof typeof schemas]
    for (const record of records) t.strictSame(Object.keys(record), Object.keys(schema.properties), resource)
  }
  t.strictSame(Object.keys(first?.category ?? {}), Object.keys(Bike.properties.category.properties))
  assertFrozen(catalogue)
})

test('all faults of all files, in their order', async t => {
  const directory = changedDirectory(t, {
    saddles: [['"id": 1', '"id": "1"'], ['"Make"', 'null']],
    bikes: [['2021', '"2021"'], ['"tyre": 1', '"tyre": 5'], ['"saddle": 1', '"saddle": 5'], ['"wheels": 1', '"wheels": 5']],
    wheels: [['24,', '24']],
    chains: null
  })
  t.strictSame(await faultLines(directory), [
    'v1/bikes.json:55:15 bikes[1].tyre must be the id of a tyre, got 5',
    'v1/bikes.json:65:15 bikes[1].year must be integer, got "2021"',
    'v1/wheels.json:16:7 expected a comma or }, got "spoke_material"',
    'v1/chains.json is missing',
    'v1/saddles.json:7:13 saddles[0].id must be integer, got "1"',
    'v1/saddles.json:8:16 saddles[0].brand must be string, got null'
  ])
})

test('a fault as data', async t => {
  const directory = changedDirectory(t, { bikes: [['2021', '"2021"']] })
  const error = await loadCatalogue(directory).catch((error: unknown) => error) as CatalogueFaults
  t.ok(error instanceof CatalogueFaults)
  t.equal(error.name, 'CatalogueFaults')
  t.match(error.faults, [{ line: 65, column: 15, pointer: '/bikes/1/year', rule: 'type', message: 'bikes[1].year must be integer, got "2021"' }])
  t.match(error.faults[0]?.file, /^\.tap\/.*\/v1\/bikes\.json$/)
})

test('directories and files that the system refuses', async t => {
  t.strictSame(await faultLines('nowhere'), ['v1 is missing'])
  t.strictSame(await faultLines('/nowhere'), ['/nowhere/v1 is missing'])
  t.strictSame(await faultLines(t.testdir({ v1: '' })), ['v1 is not a directory'])

  const directory = changedDirectory(t, { tyres: null, wheels: null })
  symlinkSync('tyres.json', join(directory, 'v1/tyres.json'))
  symlinkSync('..', join(directory, 'v1/wheels.json'))
  const lines = await faultLines(directory)
  t.equal(lines[0], 'v1/wheels.json is a directory, not a file')
  t.match(lines[1], /^v1\/tyres\.json cannot be read: ELOOP/)
})

test('a file that is gone when its faults are located', async t => {
  const { tyres } = await readDataFiles(join(valid, 'v1'), { tyres: storedV1.tyres })
  const complaint = { pointer: '/tyres', rule: 'type', message: '' }
  t.match(await faultsOf({ ...tyres, path: '/nowhere/tyres.json', complaints: [complaint] }), [{ file: '/nowhere/tyres.json', message: 'is missing' }])
})
