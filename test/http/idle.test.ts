import { mock } from 'node:test'
import { test } from 'tap'
import { createIdle } from '../../src/http/idle.ts'
import { takeTurn } from '../../src/http/turns.ts'
import { build, catalogue } from '../helper.ts'

test('a second later what was given last is made, unless the server ends; what fails then fails nobody', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const app = await build(t)
  const whenIdle = createIdle(app)
  const made: string[] = []
  whenIdle(() => made.push('before'))
  whenIdle(() => made.push('last'))
  mock.timers.tick(999)
  t.strictSame(made, [])
  mock.timers.tick(1)
  t.strictSame(made, ['last'])
  whenIdle(() => { throw new Error('broken') })
  mock.timers.tick(1000)
  whenIdle(async () => Promise.reject(new Error('broken')))
  mock.timers.tick(1000)
  whenIdle(() => made.push('never'))
  await app.close()
  mock.timers.tick(1000)
  t.strictSame(made, ['last'])
})

test('a second after the start records are written and documents made, in turns', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  let reads = 0
  const saddles = catalogue.saddles.map(saddle => ({
    ...saddle,
    get model () {
      reads++
      return saddle.model
    }
  }))
  const app = await build(t, {}, { ...catalogue, saddles })
  await app.ready()
  mock.timers.tick(1000)
  for (let turn = 0; turn < 200; turn++) await takeTurn() // who waits for turns gets one after the other
  const read = reads
  t.ok(read > saddles.length, 'by the list and the document')
  for (const url of ['/api/v1/saddles/', '/docs/', '/openapi.json', '/openapi.yaml']) t.equal((await app.inject(url)).statusCode, 200)
  t.equal(reads, read)
})

test('before a server is ready answers of one list are made; what cannot be made keeps it from nothing', async t => {
  let reads = 0
  let isBroken = false
  const bikes = catalogue.bikes.map(bike => ({
    ...bike,
    get colour () {
      reads++
      if (isBroken) throw new Error('broken')
      return bike.colour
    }
  }))
  const app = await build(t, { tokens: ['x'.repeat(40)] }, { ...catalogue, bikes })
  await app.ready()
  const read = reads
  t.ok(read >= bikes.length)
  isBroken = true
  const headers = { authorization: `Token ${'x'.repeat(40)}` }
  t.equal((await app.inject({ url: '/api/v2/bikes/?page=2', headers })).statusCode, 200, 'its records are written already')
  t.equal(reads, read)

  const broken = await build(t, {}, { ...catalogue, bikes })
  await broken.ready()
  t.equal((await broken.inject('/api/v1/saddles/')).statusCode, 200)
})
