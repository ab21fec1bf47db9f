import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { writeCatalogue } from '../../tools/generate/catalogue.ts'
import { readFlags, usage } from '../../tools/generate/flags.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { loadAuthored } from '../helper.ts'
import { dataDirectory } from '../../src/package.ts'
import { runScript } from '../run-script.ts'

type Addition = { id: number, reviews: { id: number, date_added: string }[] }

const parts = ['wheels', 'tyres', 'chains', 'groupsets', 'brakes', 'saddles', 'handlebars', 'cranksets'] as const
const files = ['v1/bikes.json', 'v2/bikes.json']
const read = (directory: string) => files.map(file => readFileSync(join(directory, file), 'utf8'))

test('generated bikes are a valid catalogue, and the same for the same seed', async t => {
  const [first, again, other] = ['first', 'again', 'other'].map(name => join(t.testdir(), name)) as [string, string, string]
  await writeCatalogue(dataDirectory, first, { bikes: 60, seed: 1 })
  await writeCatalogue(dataDirectory, again, { bikes: 60, seed: 1 })
  await writeCatalogue(dataDirectory, other, { bikes: 60, seed: 2 })
  t.same(read(again), read(first))
  t.notSame(read(other), read(first))

  const generated = await loadAuthored(first)
  const source = await loadAuthored(dataDirectory)
  const { bikes } = generated
  t.equal(bikes.length, 60)
  for (const part of parts) t.same(generated[part], source[part], `${part} are copied`)
  for (const field of ['id', 'slug', 'fitness_gear_id'] as const) t.equal(new Set(bikes.map(bike => bike[field])).size, 60, `${field} is unique`)
  for (const field of ['bike_type', 'brand', 'featured_image'] as const) {
    t.same(new Set(bikes.map(bike => bike[field])), new Set(source.bikes.map(bike => bike[field])), `${field} has the same variety`)
  }
  const types = new Map(bikes.map(bike => [bike.id, bike.bike_type]))
  t.ok(bikes.every(bike => bike.similar_bikes.every(id => types.get(id) === bike.bike_type)), 'similar bikes are of the same type')

  const additions = (JSON.parse(read(first)[1] as string) as { bikes: Addition[] }).bikes
  t.same(additions.map(({ id, reviews }) => [id, reviews.length]), bikes.map(({ id, review_count: count }) => [id, count]))
  const reviews = additions.flatMap(({ reviews }) => reviews)
  t.equal(new Set(reviews.map(({ id }) => id)).size, reviews.length, 'the id of a review is unique')
  t.ok(additions.every(({ reviews }) => reviews.every((review, place) => place === 0 || review.date_added > (reviews[place - 1]?.date_added ?? ''))))
})

test('a catalogue larger than what is held in memory comes out whole', async t => {
  const directory = join(t.testdir(), 'large')
  await writeCatalogue(dataDirectory, directory, { bikes: 1500, seed: 1 })
  t.equal((await loadCatalogue(directory)).bikes.length, 1500)
})

test('the command says in one line what is wrong', async t => {
  const full = t.testdir({ 'file.txt': '' })
  const fresh = join(full, 'fresh')
  t.same(readFlags(['--bikes', '60', '--out', fresh]), { bikes: 60, seed: 1, out: fresh })
  const cases: [args: string[], message: string][] = [
    [['--bikes', '60'], `--out is missing: ${usage}`],
    [['--out', fresh], `--bikes is missing: ${usage}`],
    [['--out', fresh, '--bikes', '6e1'], '--bikes must be a whole number from 1 to 1000000, got 6e1'],
    [['--out', fresh, '--bikes', '60', '--seed', '-1'], `Option '--seed' argument is ambiguous: ${usage}`],
    [['--out', full, '--bikes', '60'], `--out must be a new or empty directory, got ${full}`],
    [['--bike', '60'], `Unknown option '--bike': ${usage}`]
  ]
  for (const [args, message] of cases) t.throws(() => readFlags(args), { message })

  const run = (args: string[]) => runScript('tools/generate/generate.ts', ...args)
  t.match(run(['--bikes', '2', '--out', fresh]), { status: 0, stdout: `2 bikes in ${fresh}`, stderr: '' })
  t.match(run(['--bikes', '2', '--out', fresh]), { status: 1, stdout: '', stderr: /^--out must be .*\n$/ })
})
