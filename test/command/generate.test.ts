import { existsSync, readdirSync, readFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import { run as generate, writeCatalogue } from '../../src/command/generate.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { dataDirectory } from '../../src/package.ts'
import { loadAuthored, replaceExport } from '../helper.ts'
import { outputOf } from '../run-script.ts'

type Addition = { id: number, reviews: { id: number, date_added: string }[] }

const parts = ['wheels', 'tyres', 'chains', 'groupsets', 'brakes', 'saddles', 'handlebars', 'cranksets'] as const
const files = ['v1/bikes.json', 'v2/bikes.json']
const read = (directory: string) => files.map(file => readFileSync(join(directory, file), 'utf8'))

test('any number of generated bikes is a valid catalogue, and the same for the same seed', async t => {
  const folder = t.testdir()
  for (const bikes of [1, 49, 1500]) {
    await writeCatalogue(dataDirectory, join(folder, String(bikes)), { bikes, seed: bikes })
    t.equal((await loadCatalogue(join(folder, String(bikes)))).bikes.length, bikes, String(bikes))
  }
  const [first, again, other] = ['first', 'again', 'other'].map(name => join(folder, name)) as [string, string, string]
  for (const [directory, seed] of [[first, 1], [again, 1], [other, 2]] as const) {
    await writeCatalogue(dataDirectory, directory, { bikes: 60, seed })
  }
  t.same(read(again), read(first))
  t.notSame(read(other), read(first))

  const generated = await loadAuthored(first)
  const source = await loadAuthored(dataDirectory)
  const { bikes } = generated
  t.equal(bikes.length, 60)
  for (const part of parts) t.same(generated[part], source[part], `${part} are copied`)
  for (const field of ['id', 'slug', 'fitness_gear_id'] as const) {
    t.equal(new Set(bikes.map(bike => bike[field])).size, 60, `${field} is unique`)
  }
  for (const field of ['bike_type', 'brand', 'featured_image'] as const) {
    const variety = new Set(source.bikes.map(bike => bike[field]))
    t.same(new Set(bikes.map(bike => bike[field])), variety, `${field} has the same variety`)
  }
  const types = new Map(bikes.map(bike => [bike.id, bike.bike_type]))
  for (const bike of bikes) {
    t.ok(bike.similar_bikes.every(id => types.get(id) === bike.bike_type), 'similar bikes are of the same type')
  }

  const additions = (JSON.parse(read(first)[1] as string) as { bikes: Addition[] }).bikes
  const counts = bikes.map(({ id, review_count: count }) => [id, count])
  t.same(additions.map(({ id, reviews }) => [id, reviews.length]), counts)
  const reviews = additions.flatMap(({ reviews }) => reviews)
  t.equal(new Set(reviews.map(({ id }) => id)).size, reviews.length, 'the id of a review is unique')
  for (const { reviews } of additions) {
    const dates = reviews.map(review => review.date_added)
    t.strictSame(dates, [...new Set(dates)].toSorted(), 'reviews are in ascending order')
  }
})

const run = (...args: string[]) => outputOf(generate, ...args)

test('the command writes data with and without images, to a new or empty directory', async t => {
  const parent = t.testdir({ 'file.txt': '', one: {} })
  const [plain, imaged] = ['plain', 'with images'].map(name => join(parent, name)) as [string, string]
  t.match(await run(plain, '--bikes', '60', '--seed', '7', '--no-images'), {
    code: 0,
    stdout: /^Wrote 60 bikes to .*plain\. Serve them:\n\n {2}npm start -- --data /,
    stderr: ''
  })
  t.match(await run(imaged, '--bikes', '60', '--seed', '7'), {
    code: 0,
    stdout: / --data '.*with images' --paginate always\n$/
  })
  const here = process.cwd()
  t.teardown(() => process.chdir(here))
  process.chdir(join(parent, 'one'))
  t.match(await run('.', '--bikes', '1'), {
    code: 0,
    stdout: /^Wrote 1 bike to \.\. .* --data \. --paginate always\n$/s
  })
  process.chdir(here)
  const without = await loadCatalogue(plain)
  const { bikes, images } = await loadCatalogue(imaged)
  t.equal(existsSync(join(plain, 'media')), false)
  t.ok(images.size > 100)
  t.same(without.bikes.map(({ id, title }) => [id, title]), bikes.map(({ id, title }) => [id, title]))
  t.ok(without.wheels.every(wheel => wheel['image_url'] === null))
  t.match(await run(plain), {
    code: 2,
    stdout: '',
    stderr: `cannot write to ${plain}: it is not empty; choose a new or empty directory\n`
  })
  t.match(await run(join(parent, 'file.txt', 'a')), { code: 2, stderr: /ENOTDIR|ENOENT/ })
})

test('a full disk leaves nothing half done', async t => {
  const folder = t.testdir()
  const { writeFile } = promises
  replaceExport(t, promises, 'writeFile', async (file, content) => {
    if (String(file).endsWith('tyres.json')) throw new Error('ENOSPC: no space left on device')
    await writeFile(file, content)
  })
  const full = join(folder, 'full')
  t.match(await run(full, '--bikes', '2'), {
    code: 2,
    stderr: `cannot write to ${full}: ENOSPC: no space left on device\n`
  })
  t.same(readdirSync(full), [])
})

test('arguments', async t => {
  for (const args of [[], ['a', 'b']]) await t.rejects(run(...args), { message: /^generate takes one directory/ })
  await t.rejects(run('a', '--bikes', '0'), { message: /^--bikes must be an integer from 1 to 1000000, got "0"/ })
  await t.rejects(run('a', '--seed', '6e1'), { message: /^--seed must be an integer/ })
})
