import { get, type IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'

export type Answer = { status: number, headers: IncomingHttpHeaders, body: Buffer }

/** Headers of every request; a constant host keeps links, and so bodies and tags, constant. */
export const commonHeaders = { host: 'bikes.example', accept: 'application/json' }

/** Sends one request on its own connection. */
export function ask (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { ...commonHeaders, ...headers }, agent: false }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: Buffer.concat(chunks) })
      })
    }).on('error', reject)
  })
}

/** A measured request, and the minimum speed relative to the bare route. */
export type Case = {
  target: string
  headers: Readonly<Record<string, string>>
  status: number
  least: number
  /** Whether --simulate is compared, with the same server without it. */
  isSimulated?: boolean
}

const bikes = '/api/v1/bikes/'
const token = { authorization: 'Token bench' }

/** The requests with the minimum speed of each; lists take at most 1.03 times as long as the bare route. */
const measured: readonly Case[] = [
  { target: bikes, headers: {}, status: 200, least: 0.97 }, // 123 KB
  { target: `${bikes}?ordering=-title`, headers: {}, status: 200, least: 0.97 },
  { target: '/api/v1/chains/', headers: {}, status: 200, least: 0.97 }, // 3 KB
  { target: `${bikes}?page=2`, headers: {}, status: 200, least: 0.97 }, // 26 KB
  { target: bikes, headers: { 'accept-encoding': 'br' }, status: 200, least: 0.97 },
  { target: '/api/v2/bikes/', headers: token, status: 200, least: 0.97 }, // 355 KB
  { target: '/api/v1/saddles/', headers: { accept: 'text/html' }, status: 200, least: 0.97 },
  { target: '/media/saddles/1.jpg', headers: {}, status: 200, least: 0.97 },
  { target: '/api/v2/bikes/', headers: {}, status: 401, least: 0.83 },
  { target: '/api/v1/nothing/', headers: {}, status: 404, least: 0.83 }
]

/** Wrong clients cause these, so an error takes at most 1.2 times as long; its server limits to one request. */
const limited: readonly Case[] = [{ target: bikes, headers: {}, status: 429, least: 0.83 }]

/** A response of the bare route; the body in base64. */
type RecordedAnswer = {
  target: string
  headers: Readonly<Record<string, string>>
  status: number
  /** Whether it has the headers of a rate limit. */
  isLimited: boolean
  own: Record<string, string>
  body: string
}

type Recording = { cases: Case[], recorded: RecordedAnswer[] }

/** Records responses to the measured requests, or of a server that limits to one request, its 429. */
export async function record (url: string, isLimited: boolean): Promise<Recording> {
  const { headers: { etag } } = await ask(url + bikes)
  const condition = { 'if-none-match': String(etag) }
  const notModified = { target: bikes, headers: condition, status: 304, least: 0.97 }
  const cases = isLimited ? [...limited] : [...measured, notModified]
  const recorded: RecordedAnswer[] = []
  for (const { target, headers: sent, status: expected } of cases) {
    const { status, headers, body } = await ask(url + target, sent)
    if (status !== expected) throw new Error(`${target} is answered ${status} instead of ${expected}`)
    const isLimited = 'x-ratelimit-limit' in headers
    recorded.push({ target, headers: sent, status, isLimited, own: own(headers), body: body.toString('base64') })
  }
  return { cases, recorded }
}

const changing = {
  date: '', 'content-length': '', 'retry-after': '', 'x-ratelimit-remaining': '', 'x-ratelimit-reset': ''
}

/** Throws unless two servers send the same bodies and headers, except for what is left of a rate limit. */
export async function assertAlike (cases: readonly Case[], url: string, other: string): Promise<void> {
  for (const { target, headers, status } of cases) {
    for (const server of [url, other]) if (status === 429) await ask(server + target, headers) // which is still allowed
    const [a, b] = await Promise.all([ask(url + target, headers), ask(other + target, headers)])
    const comparable = ({ status, headers, body }: Answer) => {
      const text = body.toString('latin1').replace(/\d+ seconds/, '')
      return { status, headers: { ...headers, ...changing }, text }
    }
    if (a.status !== status || !isDeepStrictEqual(comparable(a), comparable(b))) {
      const heads = [a, b].map(({ status, headers }) => ({ status, headers }))
      throw new Error(`answers to ${target} differ: ${JSON.stringify(heads)}`)
    }
  }
}

/** Headers that Fastify, Node and the rate limit add to every response. */
const added = /^(?:date|connection|keep-alive|content-length|retry-after|x-ratelimit-.*)$/

/** Returns the headers that a handler sets. */
function own (headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !added.test(name))) as Record<string, string>
}
