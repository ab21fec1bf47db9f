import { errors, type ApiError } from '../http/errors.ts'
import type { Resource } from '../lists/resources.ts'
import { cached, counted, ofLists, retryAfter, uncached, wwwAuthenticate } from './headers.ts'
import { provisional, type Part } from './schema.ts'
import { schemaRef } from './schemas.ts'

const html = { 'text/html; charset=utf-8': { schema: { type: 'string' } } }

/** Gives the content of an answer that is JSON, or its browsable page for who negotiated that. */
export function jsonOrPage (json: Part): Part {
  return { ...onlyJson(json), ...html }
}

const onlyJson = (json: Part) => ({ 'application/json': json })

/** Gives the body of some errors, each an example of it. */
function bodies (schema: Part, examples: Record<string, ApiError>): Part {
  return { schema, examples: Object.fromEntries(Object.entries(examples).map(([name, { body }]) => [name, { value: body }])) }
}

const detail = (examples: Record<string, ApiError>) => bodies(schemaRef('Detail'), examples)

/** Gives an error of a list. */
const refusal = (description: string, headers: Part, content: Part) => ({ description, headers: { ...ofLists, ...uncached, ...headers }, content, ...provisional })

const { notAuthenticated, noCredentials, spacesInToken, invalidCharacters, invalidToken } = errors
const filterFaults = errors.badParameters({ year__gte: ['Enter a whole number.'] })
const badRequest = { tooManyFields: errors.badRequest() }

/** Every error that more than one operation can give, and what OPTIONS gives. */
export const responseComponents: Readonly<Record<string, Part>> = {
  BadRequest: refusal('The request cannot be read: too many parameters, or a Host that is none', {}, onlyJson(detail(badRequest))),
  BadFilter: refusal('Some filters hold what they don\'t take, or the request cannot be read', counted, jsonOrPage({
    ...bodies({ anyOf: [schemaRef('FieldErrors'), schemaRef('Detail')] }, { filters: filterFaults, ...badRequest })
  })),
  Unauthorized: refusal('No token, or a bad one; bad ones count against the address', { ...counted, ...wwwAuthenticate }, jsonOrPage(detail({
    absent: notAuthenticated(), empty: noCredentials(), spaces: spacesInToken(), characters: invalidCharacters(), unknown: invalidToken()
  }))),
  NotFound: refusal('There is no such page, or no such format', counted, jsonOrPage(detail({ page: errors.invalidPage(), format: errors.notFound() }))),
  MethodNotAllowed: refusal('The answer to any method but `GET`, `HEAD` and `OPTIONS`', counted, jsonOrPage(detail({ post: errors.methodNotAllowed('POST') }))),
  NotAcceptable: refusal('Nothing that the `Accept` header takes is offered', {}, onlyJson(detail({ accept: errors.notAcceptable() }))),
  TooManyRequests: refusal('Too many requests in this minute', { ...counted, ...retryAfter }, jsonOrPage(detail({ throttled: errors.throttled(37) }))),
  ServerError: refusal('A fault of the server', counted, jsonOrPage(detail({ fault: errors.internal() }))),
  Preflight: {
    description: 'The answer to a CORS preflight, which needs no token and is not counted',
    headers: {
      ...ofLists,
      'Access-Control-Allow-Methods': { required: true, schema: { type: 'string' } },
      'Access-Control-Allow-Headers': { required: true, schema: { type: 'string' } },
      'Access-Control-Max-Age': { required: true, schema: { type: 'integer' } }
    },
    ...provisional
  },
  Metadata: {
    description: 'The name of the list and what it gives',
    headers: { ...ofLists, ...counted },
    content: jsonOrPage({ schema: schemaRef('Metadata') })
  }
}

/** Gives a reference to a response. */
export const responseRef = (name: string) => ({ $ref: `#/components/responses/${name}` })

/** Gives the errors that a list can answer with, by status. */
export function refusalsOf ({ access, filters }: Resource): Part {
  return {
    400: responseRef(Object.keys(filters).length === 0 ? 'BadRequest' : 'BadFilter'),
    ...access === 'token' ? { 401: responseRef('Unauthorized') } : {},
    404: responseRef('NotFound'),
    405: responseRef('MethodNotAllowed'),
    406: responseRef('NotAcceptable'),
    429: responseRef('TooManyRequests'),
    500: responseRef('ServerError')
  }
}

/** Gives the 304 of a list. */
export function notModified (resource: Resource): Part {
  return { description: 'Nothing changed since the answer with the tag of `If-None-Match`', headers: { ...ofLists, ...cached(resource), ...counted }, ...provisional }
}
