import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { test, type Test } from 'tap'
import type { Running } from '../../tools/process.ts'
import { ask, proxies, startProxy, startRedis, startReplica, without } from './machines.ts'

/** Pairs of servers at the same time. */
const pairs = 4

/** Rolling restarts of each pair. */
const restarts = 5

/** Clients of each proxy of each pair. */
const clients = 2

/** The pause of a client between requests, in milliseconds. */
const pause = 50

const skip = without('nginx', 'varnish', 'redis')

test('servers that are restarted one after the other lose no request', { skip }, async t => {
  const limits = ['--rate-limit-v1', '1000000', '--rate-limit-v2', '1000000']
  const flags = ['--redis-url', await startRedis(t), '--tokens', 'ci', ...limits]
  const seen = await Promise.all(Array.from({ length: pairs }, () => restartPair(t, flags)))
  const total = seen.reduce((sum, { answered }) => sum + answered, 0)
  t.comment(`${total} requests answered during ${pairs * restarts} rolling restarts`)
  t.same(seen.flatMap(({ failures }) => failures), [])
  t.ok(seen.every(({ answered }) => answered > restarts * 100), 'there was load')
})

type Load = { isOver: boolean, answered: number, failures: string[] }

async function restartPair (t: Test, flags: readonly string[]): Promise<Load> {
  const replicas = await Promise.all([startReplica(t, flags), startReplica(t, flags)])
  const [one, two] = replicas.map(({ port }) => port) as [number, number]
  const ports = await Promise.all(proxies.map(proxy => startProxy(t, proxy, [one, two])))
  for (const port of ports) {
    const { status } = await ask(port, '/api/v1/saddles/', { method: 'POST', body: 'x'.repeat(2_000_000) })
    t.equal(status, 405, 'the servers, not the proxy, reject a long body')
  }
  const load: Load = { isOver: false, answered: 0, failures: [] }
  const asking = ports.flatMap((port, proxy) => {
    return Array.from({ length: clients }, (_, client) => askOn(port, `${proxies[proxy]}-${client}`, load))
  })
  for (let round = 0; round < restarts; round++) {
    for (const [index, port] of [one, two].entries()) {
      const old = replicas[index] as Running
      old.signal('SIGTERM')
      t.equal(await old.exited, 0, String(index))
      replicas[index] = await startReplica(t, ['--port', String(port), ...flags])
    }
  }
  load.isOver = true
  await Promise.all(asking)
  return load
}

/** Sends requests on one connection until the load is over; no cache has most of the responses. */
async function askOn (port: number, name: string, load: Load): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let count = 0; !load.isOver; count++) {
    const requests = [
      ['/api/v1/saddles/', {}],
      [`/api/v1/saddles/?page=1&ordering=${name}-${count}`, {}],
      [`/api/v2/bikes/?page=1&page_size=${count % 5 + 1}`, { headers: { authorization: 'Token ci' } }],
      [`/api/v1/chains/?ordering=${name}-${count}`, { method: 'OPTIONS' }],
      ['/api/v1/saddles/', { method: 'POST', body: '{}' }]
    ] as const
    const [path, asking] = requests[count % requests.length] as (typeof requests)[number]
    await sleep(pause)
    try {
      const { status } = await ask(port, path, { ...asking, agent })
      if (status === ('body' in asking ? 405 : 200)) load.answered++
      else load.failures.push(`${name}: ${status} ${path}`)
    } catch (error) {
      load.failures.push(`${name}: ${(error as Error).message} ${path}`)
    }
  }
  agent.destroy()
}
