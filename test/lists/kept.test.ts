import type { FastifyRequest } from 'fastify'
import { test } from 'tap'
import { createRepresentations } from '../../src/lists/kept.ts'
import type { Bike } from '../../schemas/v1/bike.ts'
import { createReader, type Asked } from '../../src/lists/question.ts'
import { createMaker, type Representation } from '../../src/lists/representation.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'
import { roomFor } from '../../src/settings/memory.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { catalogue } from '../helper.ts'

const [bikes, , wheels, tyres] = resources as readonly [Resource, Resource, Resource, Resource]

const read = createReader(defaultSettings)
const ask = (origin: string, resource = bikes) => read(resource, { origin, url: resource.path, headers: {} } as FastifyRequest)

const maker = createMaker(catalogue, () => '', defaultSettings)
const made = maker.make(ask('http://a')) as Representation

/** Makes representations of a catalogue that is so small that each is found at once. */
function createWhole (bounds?: { json: number, pages: number }): (asked: Asked) => Representation {
  const { find } = createRepresentations(maker, defaultSettings, undefined, bounds)
  return asked => find(asked) as Representation
}

test('a representation is made once while there is room', async t => {
  const representation = createWhole()
  t.equal(representation(ask('http://a')), representation(ask('http://a')))
  t.not(representation(ask('http://a')), representation(ask('http://b')))
})

for (const { format, megabytes } of [{ format: 'json', megabytes: 16 }, { format: 'api', megabytes: 12 }] as const) {
  test(`answers take ${megabytes} MiB, but for a machine that has little: ${format}`, async t => {
    const body = Buffer.alloc(2 ** 18)
    const { find, size } = createRepresentations({ ...maker, make: () => ({ ...made, body, held: body.length }) }, defaultSettings)
    for (let number = 0; number < 100; number++) await find({ ...ask('http://a'), format, canonical: String(number) })
    t.ok(size()[format] <= roomFor(megabytes * 2 ** 20))
    t.ok(size()[format] > roomFor((megabytes - 0.5) * 2 ** 20))
  })
}

test('a body that is made in pieces counts as what it is made from', async t => {
  const many = Array.from({ length: 700 }, (_, index) => ({ ...catalogue.bikes[index % catalogue.bikes.length] as Bike, id: index + 1 }))
  const { find, size } = createRepresentations(createMaker({ ...catalogue, bikes: many }, () => '', defaultSettings), defaultSettings)
  const { body } = await find(ask('http://a'))
  t.type(body, 'function')
  t.equal(size().json, ask('http://a').canonical.length + 'http://a'.length + 4096 + 4 * many.length)
})

test('what is prepared is not made again', async t => {
  let reads = 0
  const counted = catalogue.wheels.map(wheel => ({ ...wheel, get spokecount () { return ++reads && wheel.spokecount } }))
  const { find, prepareAll } = createRepresentations(createMaker({ ...catalogue, wheels: counted }, () => '', defaultSettings), defaultSettings)
  await prepareAll()
  const read = reads
  t.ok(read >= counted.length)
  await find(ask('http://a', wheels))
  await find(ask('http://b', wheels))
  t.equal(reads, read)
})

test('what several ask for at once is made once', async t => {
  const line: (() => void)[] = []
  const { find } = createRepresentations(maker, defaultSettings, work => new Promise(resolve => line.push(() => resolve(work()))))
  const waiting = ['http://a', 'http://a', 'http://b'].map(origin => find(ask(origin)))
  t.equal(line.length, 2)
  for (const begin of line) begin()
  const [first, same, other] = await Promise.all(waiting)
  t.equal(first, same)
  t.not(first, other)
  t.equal(find(ask('http://a')), first)
})

test('what is kept is bounded in bytes: the least recently used goes', async t => {
  const whole = createWhole()
  const origin = 'http://a'
  const sizes = [wheels, tyres].map(resource => ask(origin, resource).canonical.length + origin.length + 4096 + (whole(ask(origin, resource)).body as Buffer).length)
  const representation = createWhole({ json: Math.max(...sizes), pages: 1 })
  const first = representation(ask(origin, wheels))
  t.equal(representation(ask(origin, wheels)), first, 'one has room')
  representation(ask(origin, tyres))
  t.not(representation(ask(origin, wheels)), first, 'two have none')
  const tight = createWhole({ json: Number(sizes[0]) - 1, pages: 1 })
  t.not(tight(ask(origin, wheels)), tight(ask(origin, wheels)), 'a byte less is too little')
})

test('what is compressed counts as well, and goes with the plain one', async t => {
  const asked = ask('http://a', wheels)
  const createCoded = (json: number) => createRepresentations(maker, { compress: true }, undefined, { json, pages: 1 })
  const whole = createCoded(2 ** 20)
  const [plain, zipped] = [await whole.find(asked), await whole.find(asked, 'gzip')] as [{ body: Buffer }, { body: Buffer }]
  const { find } = createCoded(plain.body.length + zipped.body.length + 10_000)
  const first = await find(asked, 'gzip')
  t.equal(find(asked, 'gzip'), first, 'one coding has room')
  await find(asked, 'br')
  t.not(await find(asked, 'gzip'), first, 'two have none')
})

test('origins that differ push nothing out but those of the same question', async t => {
  const representation = createWhole()
  const [a, other] = [representation(ask('http://a')), representation(ask('http://a', wheels))]
  for (let n = 0; n < 3; n++) representation(ask(`http://${n}`))
  t.equal(representation(ask('http://a')), a, 'four are kept')
  for (let n = 0; n < 1000; n++) representation(ask(`http://${n}`))
  t.not(representation(ask('http://a')), a)
  t.equal(representation(ask('http://a', wheels)), other)
})
