import { setTimeout as sleep } from 'node:timers/promises'
import { converse, type Sent } from './converse.ts'
import type { Plan } from './plan.ts'
import { token } from './requests.ts'
import { mainThreadCpu, startServer } from '../process.ts'

/** The limits of CPU time for a request of the bundled data, and for the first one of a server, in milliseconds. */
const [most, mostFirst] = [10, 20]

/** How often each request is sent, unique each time. The third fastest counts, because other processes on the CPU slow requests down. */
const [times, counted] = [9, 2]

/** The most servers that get a first request, of which the fastest counts, and the time between them, in milliseconds. */
const [servers, apart] = [9, 1_000]

/** How long a thread may stay busy after its response has arrived, in milliseconds. */
const rest = 5

/** The largest head that Node accepts, approximately. */
const room = 15_500

const words = (count: number, number: number) => Array.from({ length: count }, (_, index) => `w${number}x${index}`).join('+')
const parameters = (count: number, number: number) => Array.from({ length: count }, (_, index) => `p${number}${index}=${index}`).join('&')
const head = (target: string, accept = '*/*', extra = '') =>
  `GET ${target} HTTP/1.1\r\nHost: bikes.test\r\nAuthorization: Token ${token}\r\nAccept: ${accept}\r\n${extra}\r\n`
const v2 = '/api/v2/bikes/'

/** The most expensive requests known, by the reason; each number makes a unique one. */
const dear: Readonly<Record<string, (number: number) => string>> = {
  'a search of 1,000 words': number => head(`${v2}?search=${words(1000, number)}`),
  'a search of one long word': number => head(`${v2}?search=${number}${'a'.repeat(room)}`),
  'an Accept of commas': number => head('/api/v1/brakes/', `${','.repeat(room)}x/${number},*/*`),
  'an Accept of types with parameters': number => head('/api/v1/brakes/', `${'*/*;a="b",'.repeat(room / 11)}*/*;x=${number}`),
  '995 parameters as a page': number => head(`/api/v1/brakes/?format=api&${parameters(995, number).slice(0, room)}`),
  '995 parameters and page': number => head(`/api/v1/brakes/?page=1&${parameters(995, number).slice(0, room)}`),
  'a hundred v2 records as a page': number => head(`${v2}?page=1&page_size=100&format=api&x=${number}`),
  'every v2 record as a page': number => head(`${v2}?format=api&x=${number}`),
  'every v2 record in other order': number =>
    head(`${v2}?ordering=${['', '-'][number % 2]}${['price', 'year', 'rating', 'title', 'brand'][number % 5]},id`),
  'laid out JSON of every v2 record': number => head(`${v2}?ordering=year,-id,title&x=${number}`, `application/json; indent=${number % 9}`),
  'a price of 15,600 digits and a letter': number => head(`${v2}?price=${number}${'1'.repeat(room)}a`),
  'a date of digits': number => head(`${v2}?date_added__gte=2024-01-01T00:00:00.${'0'.repeat(room)}${number}x`),
  'an ordering of commas': number => head(`${v2}?ordering=${','.repeat(room)}${number}`),
  'an ordering of terms': number => head(`${v2}?ordering=${'-price,year,'.repeat(room / 12)}${number}`),
  'brands without end': number => head(`${v2}?brand=${words(2500, number).replaceAll('+', ',').slice(0, room)}`),
  'brand, 990 times': number => head(`${v2}?${Array.from({ length: 990 }, (_, index) => `brand=b${number}${index}`).join('&')}`),
  'escapes without end': number => head(`/api/v1/brakes/?x=${number}${'%F0%9F%9A%B2'.repeat(room / 12)}`),
  'broken escapes without end': number => head(`/api/v1/brakes/?format=api&x=${number}${'%'.repeat(room)}`),
  'what HTML escapes, as a page': number => head(`/api/v1/brakes/?format=api&x=${number}${'"\''.repeat(room / 2)}`),
  'strict, with 990 unknown parameters': number =>
    head(`/api/v1/brakes/?${parameters(990, number).slice(0, room - 100)}`, '*/*', 'Prefer: handling=strict\r\n'),
  'strict, with one long name': number => head(`${v2}?${'pricebrand'.repeat(room / 10)}${number}=1`, '*/*', 'Prefer: handling=strict\r\n'),
  'preferences without end': number => head('/api/v1/brakes/', '*/*', `Prefer: ${'a="\\",'.repeat(room / 6)}x${number}\r\n`),
  'preferences of quotes': number => head('/api/v1/brakes/', '*/*', `Prefer: ${'"\\'.repeat(room / 2)}${number}\r\n`),
  'tags without end': number => head('/api/v1/brakes/', '*/*', `If-None-Match: ${'"a",'.repeat(room / 4)}"${number}"\r\n`),
  'a tag of blanks': number => head('/api/v1/brakes/', '*/*', `If-None-Match: "${number}"${' '.repeat(room)},\r\n`),
  'a token of 15 KB': number => head('/api/v1/brakes/').replace(`Token ${token}`, `Token ${number}${'t'.repeat(room)}`),
  'credentials of tabs': number => `GET ${v2} HTTP/1.1\r\nHost: bikes.test\r\nAuthorization: Token${'\t'.repeat(room)}${number} x\r\n\r\n`,
  'addresses without end': number => head('/api/v1/brakes/', '*/*', `X-Forwarded-For: ${'1.2.3.4,'.repeat(room / 8)}${number}\r\n`),
  'a path of slashes': number => head(`/api/v1/brakes${'/'.repeat(room)}${number}`),
  'a path of escapes': number => head(`/media/${'%41'.repeat(room / 3)}${number}.jpg`),
  'a path of dots': number => head(`/media${'/../x'.repeat(room / 5)}${number}`),
  'an unknown path as a page': number => head(`/${'<'.repeat(room)}${number}`, 'text/html'),
  '1,500 fields': number =>
    head('/api/v1/brakes/', `x/${number},*/*`, Array.from({ length: 1500 }, (_, index) => `a${index}: \r\n`).join('')),
  'the OpenAPI document as YAML': number => head(`/openapi.yaml?${number}`),
  'the changelog': number => head(`/changelog/?${number}`),
  'the reference as a page for a new host': number => head('/docs/').replace('bikes.test', `h${number}.test`),
  'the home page for a new host': number => head('/').replace('bikes.test', `h${number}.test`),
  'every v2 record for a new host': number => head(v2).replace('bikes.test', `h${number}.test`)
}

const start = () => startServer(['--tokens', token, '--rate-limit', 'off', '--trust-proxy', 'on'])

/** Measures the CPU time of the most expensive requests that fit into a head, in the main thread. */
export async function costs ({ report }: Plan): Promise<void> {
  const server = await start()
  const ask = async (text: string, { pid, port } = server) => {
    const sent: Sent = { method: 'GET', target: '', text, closes: false }
    const before = mainThreadCpu(pid)
    const { error } = await converse(port, [sent])
    if (error !== undefined) report.broke(error, text.slice(0, 200))
    await sleep(rest)
    return mainThreadCpu(pid) - before
  }
  for (let index = 0; index < 300; index++) await ask(head(`/api/v1/bikes/?page=${index % 5}&x=${index}`, ['*/*', 'text/html'][index % 2]))
  let dearest = { name: '', milliseconds: 0 }
  let dearestFirst = { name: '', milliseconds: 0 }
  for (const [name, text] of Object.entries(dear)) {
    const taken: number[] = []
    for (let number = 0; number < times; number++) taken.push(await ask(text(number + 1)))
    report.tried('dear requests, of which none came before', times)
    const first = taken[0] as number
    if (first > dearestFirst.milliseconds) dearestFirst = { name, milliseconds: first }
    const milliseconds = taken.toSorted((a, b) => a - b)[counted] as number
    if (milliseconds > dearest.milliseconds) dearest = { name, milliseconds }
    if (milliseconds > most) {
      report.broke(
        `${name} takes ${milliseconds.toFixed(1)} ms of CPU`,
        `${taken.map(time => time.toFixed(1)).join(', ')} ms: ${text(1).slice(0, 150)}`
      )
    }
  }
  report.figure(`the dearest: ${dearest.name}, ${dearest.milliseconds.toFixed(1)} ms of CPU (${most} are allowed)`)
  report.figure(`the dearest that was the first of its kind: ${dearestFirst.name}, ${dearestFirst.milliseconds.toFixed(1)} ms`)
  await server.stop()

  dearest = { name: '', milliseconds: 0 }
  for (const [name, text] of Object.entries(dear)) {
    let milliseconds = Infinity
    for (let number = 0; number < servers && milliseconds > mostFirst; number++) {
      if (number > 0) await sleep(apart)
      const young = await start()
      milliseconds = Math.min(milliseconds, await ask(text(1), young))
      report.tried('dear requests, each the first of a server that has just begun to listen')
      await young.stop()
    }
    if (milliseconds > dearest.milliseconds) dearest = { name, milliseconds }
    const costs = `${name} takes ${milliseconds.toFixed(1)} ms of CPU as the first request of a server`
    if (milliseconds > mostFirst) report.broke(costs, text(1).slice(0, 150))
  }
  const cost = `${dearest.milliseconds.toFixed(1)} ms (${mostFirst} are allowed)`
  report.figure(`the dearest that was the first of its server: ${dearest.name}, ${cost}`)
}
