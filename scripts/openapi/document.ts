import { buildApp } from '../../src/app.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { resources } from '../../src/lists/resources.ts'
import { limitWindow } from '../../src/settings/limits.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { headerComponents } from './headers.ts'
import { listOperations } from './operations.ts'
import { parameterComponents } from './parameters.ts'
import { responseComponents } from './responses.ts'
import { schemaComponents, type Fragment } from './schemas.ts'
import { tokenOperations } from './token-operations.ts'

const { rateLimitV1, rateLimitV2 } = defaultSettings

const description = [
  'A read-only catalogue of bicycles and their components. Every path is a list of records as JSON; ' +
    'nothing can be written, and a single record has no path of its own.',
  '- **Version 1** is public: basic information, ' +
    `by default ${rateLimitV1} requests a ${limitWindow.name} for each IP address.\n` +
    '- **Version 2.1** needs a token: every bike in comprehensive detail, filters, ' +
    `by default ${rateLimitV2} requests a ${limitWindow.name} for each token.`,
  'A list is unpaged, an array of all its records. ' +
    'With `page`, or always if the server is set so, it is a page: `count`, `next`, `previous`, `results`. ' +
    'URLs in responses begin with the scheme and host that the request was sent to. ' +
    '`HEAD` returns the headers of `GET`. A path without its trailing slash redirects with 301.',
  'The `/openapi.json` of a server says which form each of its lists has: an array, a page, or either. ' +
    'Limits are the defaults, and headers that are not required depend on settings. ' +
    'Browsable pages (`format=api`, or `text/html` in `Accept`) are not described.',
  'Parts marked `x-provisional` are not stated by the specification of the API; ' +
    'the value is their clause of `docs/contract.md`. ' +
    'They may change when the specification says more.'
].join('\n\n')

/** Returns the OpenAPI 3.1 document, with responses to requests of the bundled data as examples. */
export async function openApiDocument (): Promise<Fragment> {
  const token = 'example'
  const catalogue = await loadCatalogue(defaultSettings.data)
  const app = await buildApp(catalogue, { ...defaultSettings, tokens: [token], rateLimit: false, logLevel: 'silent' })
  const example = async (method: 'GET' | 'OPTIONS', url: string): Promise<unknown> =>
    (await app.inject({ method, url, headers: { host: 'localhost:3000', authorization: `Token ${token}` } })).json()
  const lists = resources.map(async resource => {
    const page = await example('GET', `${resource.path}?page=1&page_size=1`) as { results: unknown[] }
    return [resource.path, listOperations(resource, page)]
  })
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Bicycle Catalogue API',
      version: '2.1',
      summary: 'Bicycles, wheels, tyres, chains, groupsets and more, as JSON',
      description,
      license: { name: 'MIT', identifier: 'MIT' }
    },
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    security: [],
    tags: [
      { name: 'v1', description: 'Version 1: public lists' },
      { name: 'v2', description: 'Version 2.1: comprehensive detail, with a token' },
      { name: 'tokens', description: 'Tokens: the form that issues them' }
    ],
    paths: { ...Object.fromEntries(await Promise.all(lists)), '/tokens/': tokenOperations },
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word `Token`, one space, then the token: `Token bct_…`.'
        }
      },
      parameters: parameterComponents,
      headers: headerComponents,
      responses: responseComponents(await example('OPTIONS', '/api/v1/bikes/')),
      schemas: schemaComponents
    }
  }
  await app.close()
  return document
}
