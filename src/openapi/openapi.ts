import type { Catalogue } from '../catalogue/catalogue.ts'
import { resources } from '../lists/resources.ts'
import { headerComponents } from './headers.ts'
import { listOperations } from './operations.ts'
import { parameterComponents } from './parameters.ts'
import { responseComponents } from './responses.ts'
import { schemaComponents } from './schemas.ts'
import type { Part } from './schema.ts'
import { tokenOperations } from './token-operations.ts'

const description = `A read-only catalogue of bicycles and their components. Every address is a list of records as JSON; there is nothing to write, and a single record has no address of its own.

- **Version 1** is open to everybody: basic information, 60 requests a minute for each address.
- **Version 2.1** wants a token: everything known of each bike, filters, 600 requests a minute for each token.

A list is a plain array. With \`page\` it comes in pages: \`count\`, \`next\`, \`previous\`, \`results\`. Addresses in answers begin with the scheme and host that the request was sent to. \`HEAD\` gives the headers of \`GET\`. A path without its last slash is answered with 301 to the path with it.

Parts marked \`x-provisional: true\` are decisions of this service where the specification of the API is silent. They may change when the specification says more.`

const tags = [
  { name: 'v1', description: 'Version 1: public lists' },
  { name: 'v2', description: 'Version 2.1: comprehensive detail, with a token' },
  { name: 'tokens', description: 'Tokens: the form that issues them' }
]

/** Gives the OpenAPI 3.1 description of the service; its examples are the first records of the catalogue. */
export function openApiDocument (catalogue: Catalogue): Part {
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
    tags,
    paths: {
      ...Object.fromEntries(resources.map(resource => [resource.path, listOperations(resource, catalogue)])),
      '/tokens/': tokenOperations
    },
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word `Token`, one space, then the token: `Token bct_…`. The form at [/tokens/](/tokens/) issues tokens.'
        }
      },
      parameters: parameterComponents,
      headers: headerComponents,
      responses: responseComponents,
      schemas: schemaComponents()
    }
  }
  // Parts that stand in several places become copies, which YAML would otherwise write as aliases.
  return JSON.parse(JSON.stringify(document)) as Part
}
