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
export type Case = { target: string, headers: Readonly<Record<string, string>>, status: number, least: number }

const path = '/api/v1/bikes/'

/** The requests with the minimum speed of each: 123 KB twice, a small list, a page of 26 KB, and 123 KB compressed. */
const measured = [
  { target: path, coding: '', least: 0.97 },
  { target: `${path}?ordering=-title`, coding: '', least: 0.97 },
  { target: '/api/v1/chains/', coding: '', least: 0.93 },
  { target: `${path}?page=2`, coding: '', least: 0.93 },
  { target: path, coding: 'br', least: 0.93 }
]

/** A response of the bare route; bodies in base64. */
export type Recorded = {
  answers: { target: string, coding: string, headers: Record<string, string>, body: string }[]
  notModified: Record<string, string>
}

/** Records responses to the measured requests. */
export async function record (url: string): Promise<{ cases: Case[], recorded: Recorded }> {
  const sent = measured.map(({ target, coding, least }) => {
    const headers = coding === '' ? {} : { 'accept-encoding': coding }
    return { target, coding, least, headers }
  })
  const answers = await Promise.all(sent.map(({ target, headers }) => ask(url + target, headers)))
  const condition = { 'if-none-match': String(answers[0]?.headers.etag) }
  const notModified = await ask(url + path, condition)
  return {
    cases: [
      ...sent.map(({ target, headers, least }) => ({ target, headers, status: 200, least })),
      { target: path, headers: condition, status: 304, least: 0.93 }
    ],
    recorded: {
      answers: answers.map(({ headers, body }, index) => {
        const { target, coding } = measured[index] as typeof measured[number]
        return { target, coding, headers: own(headers), body: body.toString('base64') }
      }),
      notModified: own(notModified.headers)
    }
  }
}

const changing = { date: '', 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '' }

/** Throws unless two servers send the same bodies and headers, except for the rate limit's remaining requests. */
export async function assertAlike (cases: readonly Case[], url: string, other: string): Promise<void> {
  for (const { target, headers, status } of cases) {
    const [a, b] = await Promise.all([ask(url + target, headers), ask(other + target, headers)])
    const comparable = ({ status, headers, body }: Answer) => ({ status, headers: { ...headers, ...changing }, body })
    if (a.status !== status || !isDeepStrictEqual(comparable(a), comparable(b))) {
      const heads = [a, b].map(({ status, headers }) => ({ status, headers }))
      throw new Error(`answers to ${target} differ: ${JSON.stringify(heads)}`)
    }
  }
}

/** Headers that Fastify, Node and the rate limit add to every response. */
const added = /^(?:date|connection|keep-alive|content-length|x-ratelimit-.*)$/

/** Returns the headers that a handler sets. */
function own (headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !added.test(name))) as Record<string, string>
}
