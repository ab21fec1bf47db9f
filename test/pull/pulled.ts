import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { run as pull } from '../../src/pull/command.ts'
import { valid } from '../catalogue/changed.ts'
import type { Options } from '../../src/settings/settings.ts'
import { build, serve as serveOn, started } from '../helper.ts'
import { outputOf } from '../run-script.ts'

export const token = 'pull-token'

type Limits = Parameters<typeof pull>[2]

type Run = { limits?: Limits, signal?: AbortSignal, isTTY?: boolean }

/** Runs the command without waits. */
export function run (args: string[], { limits, signal = new AbortController().signal, isTTY = false }: Run = {}) {
  return outputOf(async (args, { stdout, stderr }) => {
    return await pull(args, { stdout, stderr: { ...stderr, isTTY }, signal }, { wait: async () => {}, ...limits })
  }, ...args)
}

/** Serves a data directory. */
export const serveData = (t: Test, data: string, options: Options = {}) =>
  started(t, { data, tokens: [token], ...options })

/** Compares what a service sends with the responses of a server of its recording, for the same paths and queries. */
export async function assertSameBytes (
  t: Test, url: string, recorded: string, targets: readonly string[], secret = token
) {
  const { app } = await serveData(t, recorded)
  const { origin, host } = new URL(url)
  const credentials = secret === '' ? {} : { authorization: secret.includes(' ') ? secret : `Token ${secret}` }
  const wrong: unknown[] = []
  for (const target of targets) {
    const theirs = await fetch(url + target, { headers: credentials })
    const text = Buffer.from(await theirs.arrayBuffer()).toString('latin1')
    const body = text.replaceAll(`"${url}/`, `"${origin}/`) // without its path
    const ours = await app.inject({ url: target, headers: { host, ...credentials } })
    const names = theirs.ok ? ['cache-control', 'vary'] : ['content-type', 'vary', 'www-authenticate']
    const expected = [theirs.status, body, ...names.map(name => theirs.headers.get(name))]
    const got = [ours.statusCode, ours.rawPayload.toString('latin1'), ...names.map(name => ours.headers[name] ?? null)]
    if (!isDeepStrictEqual(got, expected)) wrong.push({ target, got, expected })
  }
  t.same(wrong, [], 'every response has the same bytes')
}

/** Compares responses as JSON: those that were not recorded are made in the contract's spelling. */
export async function assertSameValues (t: Test, url: string, recorded: string, targets: readonly string[]) {
  const { app } = await serveData(t, recorded)
  const headers = { authorization: `Token ${token}` }
  for (const target of targets) {
    const theirs = await fetch(url + target, { headers })
    const ours = await app.inject({ url: target, headers: { ...headers, host: new URL(url).host } })
    t.same(ours.json(), await theirs.json(), target)
  }
}

/** Answers a request in place of the service, and returns true; or leaves it to the service. */
type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => boolean | Promise<boolean>

/** Serves the lists of the fixture, but for what is answered otherwise. */
export async function serve (t: Test, answer: Answer) {
  const app = await build(t, { data: valid, tokens: [token] }, await loadCatalogue(valid))
  const requests: { url: string, authorization: string | undefined }[] = []
  const url = await serveOn(t, async (request, response) => {
    const { authorization, host } = request.headers
    requests.push({ url: String(request.url), authorization })
    if (await answer(request, response, requests.length)) return
    const { statusCode, headers, rawPayload } = await app.inject({
      url: String(request.url), headers: { host, ...authorization && { authorization } }
    })
    response.writeHead(statusCode, { 'content-type': String(headers['content-type']) }).end(rawPayload)
  })
  return { url, requests }
}

/** A directory that does not exist, and the one above it. */
export function freeDirectory (t: Test) {
  const parent = t.testdir({})
  return { parent, directory: join(parent, 'data') }
}

/** Runs the command into a free directory, and counts what is in the one above it afterwards. */
export async function pullFrom (t: Test, url: string, flags: readonly string[] = [], options: Run = {}) {
  const { parent, directory } = freeDirectory(t)
  return { ...await run([url, directory, ...flags], options), directory, left: readdirSync(parent).length }
}
