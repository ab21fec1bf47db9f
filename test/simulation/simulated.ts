import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { LiveCatalogue } from '../../src/catalogue/live.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { buildLogged, catalogue } from '../helper.ts'

/** Builds a server that simulates, unless settings say otherwise, and collects its log. */
export async function simulated (
  t: Test,
  settings: Partial<Settings> = {},
  records = catalogue,
  current?: LiveCatalogue
) {
  return buildLogged(t, { simulate: true, tokens: ['ci'], ...settings }, records, current)
}

/** Sends a request, and returns the status and the applied preferences. */
export async function outcomeOf (app: FastifyInstance, url: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url, headers })
  return [answer.statusCode, answer.headers['preference-applied']]
}

export const rulesPath = '/__simulate'

/** Adds a rule over HTTP. */
export const addRule = (app: FastifyInstance, rule: unknown) =>
  app.inject({
    method: 'POST', url: rulesPath, headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(rule)
  })

type State = {
  rules: { id: number, used: number }[]
  requests: {
    method: string, path: string, status: number | null, simulated: string | null, facts: string[], advice: {
      id: string, text: string
    }[]
  }[]
}

/** Returns the rules and the recorded requests. */
export const stateOf = async (app: FastifyInstance) => (await app.inject(rulesPath)).json<State>()

/** One request as text, the last of its connection. */
export const get = (
  target: string,
  ...headers: string[]
): string => `GET ${target} HTTP/1.1\r\nHost: a\r\nUser-Agent: test\r\nConnection: close\r\n${headers.map(
  header => `${header}\r\n`
).join('')}\r\n`
