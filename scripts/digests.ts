import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { InjectOptions } from 'fastify'
import { buildApp } from '../src/app.ts'
import { loadCatalogue } from '../src/catalogue/load.ts'
import { resources } from '../src/lists/resources.ts'
import { defaultSettings } from '../src/settings/settings.ts'

// npm run digests: prints the digest of every response to a fixed list of requests as JSON; --write stores them in
// test/digests.json.

type Asked = Required<Pick<InjectOptions, 'method' | 'url' | 'headers'>>

/** Requests of each list: method, query, Accept. */
type Variant = readonly [method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST', query: string, accept?: string]

const variants: readonly Variant[] = [
  ['GET', ''],
  ['HEAD', ''],
  ['OPTIONS', ''],
  ['POST', ''],
  ['GET', '?page=1'],
  ['GET', '?page=2&page_size=3'],
  ['GET', '?page=last'],
  ['GET', '?page=999'],
  ['GET', '?ordering=title,brand_name,-price'],
  ['GET', '?ordering=-title,-brand_name,date_added'],
  ['GET', '?page=1&page_size=2', 'application/json; indent=4'],
  ['GET', '?format=api&page=1&page_size=2'],
  ['GET', '?format=xml'],
  ['GET', '?brand=trek,canyon&year__gte=2020&date_added__gte=2024-06-01', 'application/json'],
  ['GET', '', 'application/xml']
]

const headers = { host: 'bikes.example', authorization: 'Token digests' }

const requests: readonly Asked[] = resources.flatMap(({ path }) => variants.map(([method, query, accept]) => (
  { method, url: path + query, headers: accept === undefined ? headers : { ...headers, accept } }
)))

export async function digestsOf (): Promise<Record<string, string>> {
  const settings = { ...defaultSettings, rateLimit: false, tokens: ['digests'], logLevel: 'silent' } as const
  const app = await buildApp(await loadCatalogue(defaultSettings.data), settings)
  const digests: Record<string, string> = {}
  for (const request of requests) {
    const { statusCode, headers: { date, ...others }, rawPayload } = await app.inject(request)
    const head = JSON.stringify([statusCode, others])
    const digest = createHash('sha256').update(head).update(rawPayload).digest('base64url').slice(0, 22)
    digests[[request.method, request.url, request.headers['accept']].filter(Boolean).join(' ')] = digest
  }
  await app.close()
  return digests
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = `${JSON.stringify(await digestsOf(), null, 2)}\n`
  const { values } = parseArgs({ options: { write: { type: 'boolean' } } })
  if (values.write) writeFileSync(new URL('../test/digests.json', import.meta.url), text)
  else process.stdout.write(text)
}
