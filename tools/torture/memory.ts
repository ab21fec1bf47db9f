import { resources } from '../../src/lists/resources.ts'
import { type Random, between, pick, createRandom } from '../../src/base/random.ts'
import { atOnce, converse, get, token, type Sent } from './converse.ts'
import type { Plan } from './report.ts'
import { memoryOf, startServer } from '../process.ts'

/** The limit of memory growth through unique queries, hosts and headers, in MB. */
const mostGrowth = 150

/** The number of requests that warm a server up, with its caches not yet full. */
const warm = 500
const batch = 20

/** Values that clients can vary endlessly. */
const kinds: readonly ((random: Random, path: string, unique: string) => Sent)[] = [
  (_, path, unique) => get(`${path}?page=1&x=${unique}`),
  (_, path, unique) => get(`${path}?x=${unique}`, `${unique}.test`),
  (_, path, unique) => get(path, 'bikes.test', `application/json;x=${unique}`),
  (_, path, unique) => get(`${path}?page=1&page_size=1&x=${unique}`, 'bikes.test', 'text/html'),
  (_, _path, unique) => get(`/api/v2/bikes/?search=${unique}`),
  random => get(`/api/v2/bikes/?page=${between(random, 1, 5)}&price__lte=${between(random, 0, 1e9)}&ordering=-price`),
  (_, path, unique) => get(`${path}?${unique}=${'y'.repeat(3000)}`),
  (_, path, unique) => get(path, 'bikes.test', '*/*', `X-Forwarded-For: ${unique}\r\nIf-None-Match: "${unique}"\r\nPrefer: ${unique}\r\n`),
  (_, _path, unique) => get(`/${unique}/`),
  (_, _path, unique) => get(`/media/${unique}.jpg`, `${unique}.test`),
  (_, _path, unique) => get('/', `${unique}.test`),
  (_, path, unique) => ({ ...get(path), text: get(path).text.replace(`Token ${token}`, `Token ${unique}`) })
]

/** Sends unique requests repeatedly, and measures the memory. */
export async function memory ({ requests: count, seed, report }: Plan): Promise<void> {
  const server = await startServer(['--tokens', token, '--rate-limit-v1', '1000000', '--rate-limit-v2', '1000000'])
  const random = createRandom(seed)
  await ask(warm)
  const before = memoryOf(server.pid).resident
  await ask(count)
  const after = memoryOf(server.pid).resident
  report.tried('requests that never came before', count)
  report.figure(`memory ${before.toFixed(0)} MB after the first ${warm}, ${after.toFixed(0)} MB at the end`)
  if (after - before > mostGrowth) {
    report.broke(
      `memory grows by more than ${mostGrowth} MB`,
      `--only memory --requests ${count} --seed ${seed}: by ${(after - before).toFixed(0)} MB`
    )
  }
  await server.stop()

  async function ask (times: number): Promise<void> {
    const batches = Array.from({ length: Math.ceil(times / batch) }, (_, index) => index)
    await atOnce(4, batches, async () => {
      const requests = Array.from({ length: batch }, () => {
        const unique = `u${between(random, 0, 2 ** 31).toString(36)}${between(random, 0, 2 ** 31).toString(36)}`
        return pick(random, kinds)(random, pick(random, resources).path, unique)
      })
      const { error } = await converse(server.port, requests)
      if (error !== undefined) report.broke(error, '--only memory')
    })
  }
}
