import { test, type Test } from 'tap'
import { SettingsError } from '../../src/settings/flags.ts'
import { readOptions, readSettings } from '../../src/settings/read.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { exchange } from '../helper.ts'
import { get, outcomeOf, simulated } from './simulated.ts'

const path = '/api/v1/saddles/'

/** What becomes of so many requests of a list, one after the other. */
async function run (t: Test, settings: Partial<Settings>, requests = 40) {
  const { app } = await simulated(t, { rateLimit: false, ...settings })
  const statuses: string[] = []
  for (let request = 0; request < requests; request++) {
    const { answer, end } = await exchange(app, get(path))
    statuses.push(end === 'closed' ? answer.slice(9, 12) : end)
  }
  return statuses
}

test('failure-rate: that share of answers is 503 or a reset, the same ones for the same seed', async t => {
  const first = await run(t, { failureRate: 0.5, seed: 7 })
  t.same(await run(t, { failureRate: 0.5, seed: 7 }), first)
  t.notSame(await run(t, { failureRate: 0.5, seed: 8 }), first)
  const count = (status: string) => first.filter(own => own === status).length
  t.equal(count('200') + count('503') + count('ECONNRESET'), 40)
  for (const status of ['503', 'ECONNRESET']) {
    t.ok(count(status) > 3 && count(status) < 18, `${count(status)} times ${status}`)
  }
  t.ok((await run(t, { failureRate: 1 }, 5)).every(status => status !== '200'))
  t.ok((await run(t, { failureRate: 0 }, 5)).every(status => status === '200'))
})

test('a random failure is an error of the contract with a short Retry-After; preferences override it', async t => {
  const { app } = await simulated(t, { failureRate: 1, seed: 2 })
  const answers = []
  for (let request = 0; request < 9; request++) answers.push(await exchange(app, get(path)))
  const { answer = '' } = answers.find(({ end }) => end === 'closed') ?? {}
  for (const part of [/^HTTP\/1\.1 503 Service Unavailable\r\n/, 'retry-after: 1\r\n', 'cache-control: no-store\r\n']) {
    t.match(answer, part, String(part))
  }
  t.notMatch(answer, 'preference-applied')
  t.same(await outcomeOf(app, path, { prefer: 'code=404' }), [404, 'code=404'])
  t.same(await outcomeOf(app, path, { prefer: 'fault=drip, delay=1' }), [200, 'delay=1, fault=drip'])
  for (const url of ['/', '/livez', '/docs/']) t.equal((await app.inject(url)).statusCode, 200, url)
  const preflight = {
    method: 'OPTIONS', url: path,
    headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' }
  } as const
  t.equal((await app.inject(preflight)).statusCode, 204)
})

test('delay: every list is answered later, but for those who ask for another delay', async t => {
  const { app } = await simulated(t, { delay: [300, 310], rateLimit: false })
  const time = async (url: string) => {
    const before = performance.now()
    const { headers } = await app.inject(url)
    t.equal(headers['preference-applied'], url.includes('__') ? 'delay=0' : undefined)
    return performance.now() - before
  }
  t.ok(await time(path) > 298)
  const [list, page] = [await time(`${path}?__delay=0`), await time('/livez')]
  t.ok(Math.min(list, page) < 298)
})

test('the settings are read', async t => {
  const settings = readSettings(['--simulate', '--delay', '100-300', '--failure-rate=.25', '--seed', '0'], {})
  t.match(settings, { settings: { simulate: true, delay: [100, 300], failureRate: 0.25, seed: 0 } })
  t.match(readOptions({ simulate: true, delay: [0, 5], failureRate: 1 }, {}), {
    delay: [0, 5], failureRate: 1, seed: 1
  })
  t.match(readOptions({ simulate: true, delay: 500 }, {}), { delay: 500 })
  for (const [flag, text] of [
    ['delay', '5-1'], ['delay', '60001'], ['failure-rate', '1.1'], ['failure-rate', '.'],
    ['failure-rate', '50%'], ['seed', '-1']
  ]) {
    t.throws(() => readSettings([`--${flag}=${text}`], {}), SettingsError)
  }
  t.throws(
    () => readOptions({ delay: [5, 1] }, {}),
    { message: 'delay must be milliseconds, such as 500 or [100, 2000], up to 60000, got [ 5, 1 ]' }
  )
})
