import { errors, type ApiError } from '../../src/http/errors.ts'
import type { Resource } from '../../src/lists/resources.ts'
import {
  cached, counted, ofLists, preferenceApplied, ofPreflights, retryAfter, uncached, wwwAuthenticate
} from './headers.ts'
import { provisional, schemaRef, type Fragment } from './schemas.ts'

export const json = (content: Fragment) => ({ content: { 'application/json': content } })

function bodies (schema: Fragment, examples: Record<string, ApiError>): Fragment {
  const values = Object.entries(examples).map(([name, { body }]) => [name, { value: body }])
  return json({ schema, examples: Object.fromEntries(values) })
}

/** The body of errors that concern the whole request. */
export const detail = (examples: Record<string, ApiError>) => bodies(schemaRef('Detail'), examples)

/** The body of a 400 for single fields or for the whole request. */
export const fieldErrors = (examples: Record<string, ApiError>) =>
  bodies({ anyOf: [schemaRef('FieldErrors'), schemaRef('Detail')] }, examples)

const refusal = (clause: string, description: string, headers: Fragment, content: Fragment) =>
  ({ description, headers: { ...ofLists, ...uncached, ...counted, ...headers }, ...content, ...provisional(clause) })

const { notAuthenticated, noCredentials, spacesInToken, invalidCharacters, invalidToken } = errors
const filterErrors = errors.badParameters({ year__gte: ['Enter a whole number.'] })
const strictErrors = errors.badParameters({ pagesize: ['Unknown parameter; did you mean page_size?'] })
const badRequest = { tooManyFields: errors.badRequest() }

/** Returns the responses that several operations share; `metadata` is the example of OPTIONS. */
export const responseComponents = (metadata: unknown): Fragment => ({
  BadRequest: refusal(
    'F20',
    'Too many parameters, an invalid Host, or, with `Prefer: handling=strict`, ' +
      'parameters that the list otherwise ignores',
    preferenceApplied,
    fieldErrors({ strict: strictErrors, ...badRequest })
  ),
  BadFilter: refusal(
    'D37',
    'Invalid values of filters, too many parameters, an invalid Host, or, with `Prefer: handling=strict`, ' +
      'parameters that the list otherwise ignores',
    preferenceApplied,
    fieldErrors({ filters: filterErrors, strict: strictErrors, ...badRequest })
  ),
  Unauthorized: refusal(
    'F12',
    'No token, or an invalid one; invalid ones count towards the rate limit of the IP address',
    wwwAuthenticate,
    detail({
      absent: notAuthenticated(),
      empty: noCredentials(),
      spaces: spacesInToken(),
      characters: invalidCharacters(),
      unknown: invalidToken()
    })
  ),
  NotFound: refusal('F15', 'No such page, or no such format', {}, detail({
    page: errors.invalidPage(),
    format: errors.notFound()
  })),
  MethodNotAllowed: refusal('F8', 'Any method but `GET`, `HEAD` and `OPTIONS`', {}, detail({
    post: errors.methodNotAllowed('POST')
  })),
  NotAcceptable: refusal(
    'F2',
    'No available format matches `Accept`, or, if the server compresses, no coding matches `Accept-Encoding`',
    {},
    detail({ accept: errors.notAcceptable(), coding: errors.noCodingAcceptable() })
  ),
  TooManyRequests: refusal('F17', 'Rate limit exceeded, if the server has one', retryAfter, detail({
    throttled: errors.throttled(37)
  })),
  ServerError: refusal('D14', 'An error of the server', {}, detail({ error: errors.internal() })),
  Preflight: {
    description: 'The response to a CORS preflight, which needs no token and does not count towards the rate limit',
    headers: { ...ofLists, ...ofPreflights },
    ...provisional('D13')
  },
  Metadata: {
    description: 'The name of the list and its formats',
    headers: { ...ofLists, ...counted },
    ...json({ schema: schemaRef('Metadata'), examples: { bikes: { value: metadata } } })
  }
})

export const responseRef = (name: string) => ({ $ref: `#/components/responses/${name}` })

/** Returns the errors of a list, by status. */
export function refusalsOf ({ access, filters }: Resource): Fragment {
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

export function notModified (resource: Resource): Fragment {
  const headers = { ...ofLists, ...cached(resource), ...counted }
  const description = 'Nothing has changed since the response with the tag of `If-None-Match`'
  return { description, headers, ...provisional('D19') }
}
