import type { Catalogue } from '../catalogue/catalogue.ts'
import { resources } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { headerComponents } from './headers.ts'
import { listOperations } from './operations.ts'
import { parameterComponents } from './parameters.ts'
import { responseComponents } from './responses.ts'
import { schemaComponents, type Fragment } from './schemas.ts'
import { tokenOperations } from './token-operations.ts'

function describe ({ paginate, rateLimit, rateLimitV1, rateLimitV2 }: Settings): string {
  const limit = (requests: number, client: string) => rateLimit ? `, ${requests} requests a minute for each ${client}` : ''
  const form = paginate === 'always'
    ? 'A list comes in pages: `count`, `next`, `previous`, `results`.'
    : 'A list is a plain array. With `page` it comes in pages: `count`, `next`, `previous`, `results`.'
  return [
    'A read-only catalogue of bicycles and their components. Every address is a list of records as JSON; ' +
      'there is nothing to write, and a single record has no address of its own.',
    `- **Version 1** is open to everybody: basic information${limit(rateLimitV1, 'address')}.\n` +
      `- **Version 2.1** wants a token: everything known of each bike, filters${limit(rateLimitV2, 'token')}.`,
    `${form} Addresses in answers begin with the scheme and host that the request was sent to. ` +
      '`HEAD` gives the headers of `GET`. A path without its last slash is answered with 301 to the path with it.',
    'Parts marked `x-provisional: true` are decisions of this service where the specification of the API is silent. ' +
      'They may change when the specification says more.'
  ].join('\n\n')
}

const tagsOf = ({ tokenForm }: Settings) => [
  { name: 'v1', description: 'Version 1: public lists' },
  { name: 'v2', description: 'Version 2.1: comprehensive detail, with a token' },
  ...tokenForm ? [{ name: 'tokens', description: 'Tokens: the form that issues them' }] : []
]

/**
 * The OpenAPI 3.1 document of a server with these settings; its examples are the first records of the catalogue.
 *
 * It is put together from the tables that the routes are made from, in 700 lines. Made from route schemas it would be three times as large,
 * because nothing in them could be shared, and no shorter to write: a list has one route for all methods and sends bytes.
 */
export function openApiDocument (catalogue: Catalogue, settings: Settings): Fragment {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bicycle Catalogue API',
      version: '2.1',
      summary: 'Bicycles, wheels, tyres, chains, groupsets and more, as JSON',
      description: describe(settings),
      license: { name: 'MIT', identifier: 'MIT' }
    },
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    security: [],
    tags: tagsOf(settings),
    paths: {
      ...Object.fromEntries(resources.map(resource => [resource.path, listOperations(resource, catalogue, settings)])),
      ...settings.tokenForm ? { '/tokens/': tokenOperations(settings) } : {}
    },
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word `Token`, one space, then the token: `Token bct_…`.' +
            (settings.tokenForm ? ' The form at [/tokens/](/tokens/) issues tokens.' : '')
        }
      },
      parameters: parameterComponents(settings),
      headers: headerComponents(settings),
      responses: responseComponents(settings),
      schemas: schemaComponents(settings)
    }
  }
}
