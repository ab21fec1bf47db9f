import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { resources } from '../../src/lists/resources.ts'
import { dataDirectory } from '../../src/package.ts'
import { type Random, between, pick, seeded } from '../generate/random.ts'
import { converse, type Sent } from '../torture/converse.ts'
import { figure, median, printHeading, printTable, progress, verdict } from './figures.ts'
import type { Cpus } from './machine.ts'
import { type Running, memoryOf, start } from '../process.ts'
import { ours } from './ours.ts'

const token = 'soak'
const servers = {
  'as it is': [],
  'with 64 MB of heap': ['--max-old-space-size=64']
}

/** Collects all garbage of a server on a signal, because V8 delays it for minutes, which hides the memory in use. */
const collecting = ['--expose-gc', '--import', "data:text/javascript,process.on('SIGUSR2', () => gc())"]

/** The interval of collections, and the time to return memory to the system, in milliseconds. */
const collectEvery = 5_000
const givingBack = 1_000

/** Clients with concurrent requests, and the number of requests that each sends at once. */
const clients = 4
const batch = 10

/** Seconds from the start to the first memory sample, and of each sampling; a short run has less. */
const settling = 60

const pictures = readdirSync(`${dataDirectory}/media/full/bikes`).map(file => `/media/full/bikes/${file}`)

type Question = { method?: string, target: string, host?: string, headers?: string }

/** All kinds of requests; `unique` is a unique word. */
const kinds: readonly ((random: Random, path: string, unique: string) => Question)[] = [
  (_, path) => ({ target: path }),
  (_, path) => ({ target: path, headers: 'If-None-Match: *\r\n' }),
  (_, path) => ({ method: 'HEAD', target: `${path}?ordering=-title,-brand_name` }),
  (_, path, unique) => ({ target: `${path}?page=1&x=${unique}` }),
  (_, path, unique) => ({ target: path, host: `${unique}.test` }),
  (_, path, unique) => ({ target: `${path}?format=api&page=1&page_size=3&x=${unique}` }),
  (random, path) => ({ target: `${path}?page=${between(random, 1, 99)}` }),
  (random, _, unique) => ({ target: `/api/v2/bikes/?search=${unique.slice(0, 2)}&price__lte=${between(random, 0, 1e6)}&ordering=-price` }),
  random => ({ target: `/api/v2/bikes/?page=1&year__gte=${between(random, 2000, 2030)}` }),
  () => ({ target: '/api/v2/bikes/?year__gte=x' }),
  (_, path) => ({ method: 'OPTIONS', target: path }),
  (_, path) => ({ method: 'POST', target: path, headers: 'Content-Length: 0\r\n' }),
  (_, __, unique) => ({ target: `/${unique}/` }),
  (_, __, unique) => ({ target: '/', host: `${unique}.test` }),
  (_, __, unique) => ({ target: '/openapi.json', host: `${unique}.test` }),
  () => ({ target: '/docs/' }),
  random => ({ target: pick(random, pictures) }),
  random => ({ target: pick(random, pictures), headers: 'Range: bytes=100-999\r\n' })
]

/** A cheap request, sent repeatedly during the load. */
const cheap = '/api/v1/saddles/?page=1'

type Load = { answers: number, left: number, faults: string[], cheapTimes: number[], resident: number[] }

/**
 * Sends all kinds of requests at once for some seconds, to a server with its defaults and to one with little memory: their memory must stay
 * bounded, every request needs a valid response, and cheap requests a quick one.
 */
export async function soak ({ cpus, soakSeconds: seconds }: { cpus: Cpus, soakSeconds: number }): Promise<void> {
  const window = Math.min(settling, seconds / 4)
  printHeading('Soak', `${seconds} s, ${clients} clients that send ${batch} requests at once and one that asks for ${cheap} alone, of both servers at the same\ntime. Memory after collecting garbage: medians of ${window} s, the first after as much.`)
  const flags = [...ours, '--rate-limit-v2', '1000000', '--tokens', token]
  const loads = await Promise.all(Object.values(servers).map(async node => {
    const server = await start([...collecting, ...node, ...flags], { cpus: cpus?.server })
    try {
      return await burden(server, seconds)
    } finally {
      await server.stop()
    }
  }))
  progress('')
  printTable(
    ['', 'requests', 'left', 'faults', 'cheap p50 ms', 'p99', 'ratio', 'resident MB', 'at the end', 'ratio'],
    Object.keys(servers).map((name, place) => row(name, loads[place] as Load, window))
  )
  for (const fault of new Set(loads.flatMap(({ faults }) => faults))) console.log(`  ${fault}`)
}

async function burden (server: Running, seconds: number): Promise<Load> {
  const random = seeded(1)
  const port = Number(new URL(server.url).port)
  const load: Load = { answers: 0, left: 0, faults: [], cheapTimes: [], resident: [] }
  const until = performance.now() + 1000 * seconds
  const whileItLasts = async (work: () => Promise<void>) => { while (performance.now() < until) await work() }

  await Promise.all([
    ...Array.from({ length: clients }, () => whileItLasts(async () => random() < 0.1 ? leave() : ask())),
    whileItLasts(async () => {
      const from = performance.now()
      await check([sent({ target: cheap })])
      load.cheapTimes.push(performance.now() - from)
      await sleep(10)
    }),
    whileItLasts(async () => {
      process.kill(server.pid, 'SIGUSR2')
      await sleep(givingBack)
      load.resident.push(memoryOf(server.pid).resident)
      progress(`soak: ${Math.round((until - performance.now()) / 1000)} s left, ${load.answers} answers`)
      await sleep(Math.min(collectEvery - givingBack, Math.max(0, until - performance.now())))
    })
  ])
  return load

  function question (): Question {
    const unique = between(random, 36 ** 6, 36 ** 7).toString(36)
    return pick(random, kinds)(random, pick(random, resources).path, unique)
  }

  async function ask (): Promise<void> {
    await check(Array.from({ length: batch }, () => sent(question())))
  }

  async function check (requests: Sent[]): Promise<void> {
    const { answers, fault } = await converse(port, requests)
    load.answers += answers.length
    if (fault !== undefined) load.faults.push(fault)
    for (const [place, { status }] of answers.entries()) if (status >= 500) load.faults.push(`${status} for ${requests[place]?.target}`)
  }

  /** Sends many requests and disconnects before the responses. */
  async function leave (): Promise<void> {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(Array.from({ length: batch }, () => sent(question()).text).join('').slice(0, between(random, 1, 2000)))
    await sleep(between(random, 0, 20))
    if (random() < 0.5) socket.resetAndDestroy()
    else socket.destroy()
    load.left++
  }
}

function sent ({ method = 'GET', target, host = 'bikes.test', headers = '' }: Question): Sent {
  const text = `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Token ${token}\r\n${headers}\r\n`
  return { method, target, text, closes: false }
}

function row (name: string, { answers, left, faults, cheapTimes, resident }: Load, window: number): string[] {
  const looks = Math.floor(1000 * window / collectEvery)
  const times = cheapTimes.toSorted((a, b) => a - b)
  const p99 = times[Math.ceil(times.length * 0.99) - 1] ?? NaN
  const [early, late] = [median(resident.slice(looks, 2 * looks)), median(resident.slice(-looks))]
  return [
    `  ${name}`, figure(answers), figure(left), String(faults.length),
    figure(median(times), 1), figure(p99, 1), verdict([p99 / median(times)], { most: 10 }),
    figure(early), figure(late), `${figure(late / early, 3)} ${verdict([late / early], { most: 1.05 })}`
  ]
}
