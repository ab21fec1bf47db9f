import { errors, type ApiError } from '../http/errors.ts'
import { metadataOf, type Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { cached, counted, ofLists, preferenceApplied, ofPreflights, retryAfter, uncached, wwwAuthenticate } from './headers.ts'
import { provisional, schemaRef, type Fragment } from './schemas.ts'

export const htmlType = 'text/html; charset=utf-8'

/** The content of an answer that is JSON whatever was asked for. */
export const onlyJson = (json: Fragment) => ({ content: { 'application/json': json } })

/**
 * The content of an answer that is JSON, or its browsable page for who negotiated that. The page stands beside the content and not in
 * it, because generators make one type of all media types of an answer: what a client reads would be `Bike[] | string` everywhere.
 */
export function jsonOrPage (json: Fragment): Fragment {
  const also = 'The same as a page for a person, where `format=api` or the `Accept` header asks for it'
  return { ...onlyJson(json), 'x-also': { [htmlType]: also } }
}

/** The body of some errors, each an example of it. */
function bodies (schema: Fragment, examples: Record<string, ApiError>): Fragment {
  return { schema, examples: Object.fromEntries(Object.entries(examples).map(([name, { body }]) => [name, { value: body }])) }
}

/** The body of errors that are not about single fields. */
export const detail = (examples: Record<string, ApiError>) => bodies(schemaRef('Detail'), examples)

/** The body of a 400 that names what is wrong with each field, or is about the whole request. */
export const fieldErrors = (examples: Record<string, ApiError>) =>
  bodies({ anyOf: [schemaRef('FieldErrors'), schemaRef('Detail')] }, examples)

/** An error of a list. */
const refusal = (description: string, headers: Fragment, content: Fragment) =>
  ({ description, headers: { ...ofLists, ...uncached, ...headers }, ...content, ...provisional })

const { notAuthenticated, noCredentials, spacesInToken, invalidCharacters, invalidToken } = errors
const filterFaults = errors.badParameters({ year__gte: ['Enter a whole number.'] })
const strictFaults = errors.badParameters({ pagesize: ['Unknown parameter; did you mean page_size?'] })
const badRequest = { tooManyFields: errors.badRequest() }

/** Every error that more than one operation can give, and what OPTIONS gives. */
export function responseComponents (settings: Settings): Fragment {
  const counts = counted(settings)
  return {
    BadRequest: refusal(
      'Too many parameters, a Host that is none, or, when handled strictly, what a list would ignore',
      { ...preferenceApplied, ...counts },
      jsonOrPage(fieldErrors({ strict: strictFaults, ...badRequest }))
    ),
    BadFilter: refusal(
      'Filters that hold what they don\'t take, an unreadable request, or, when handled strictly, what a list would ignore',
      { ...preferenceApplied, ...counts },
      jsonOrPage(fieldErrors({ filters: filterFaults, strict: strictFaults, ...badRequest }))
    ),
    Unauthorized: refusal(
      'No token, or a bad one; bad ones count against the address',
      { ...counts, ...wwwAuthenticate },
      jsonOrPage(detail({
        absent: notAuthenticated(),
        empty: noCredentials(),
        spaces: spacesInToken(),
        characters: invalidCharacters(),
        unknown: invalidToken()
      }))
    ),
    NotFound: refusal(
      'There is no such page, or no such format',
      counts,
      jsonOrPage(detail({ page: errors.invalidPage(), format: errors.notFound() }))
    ),
    MethodNotAllowed: refusal(
      'The answer to any method but `GET`, `HEAD` and `OPTIONS`',
      counts,
      jsonOrPage(detail({ post: errors.methodNotAllowed('POST') }))
    ),
    NotAcceptable: settings.compress
      ? refusal(
        'Nothing that the `Accept` header takes is offered, or no coding that `Accept-Encoding` takes',
        counts,
        jsonOrPage(detail({ accept: errors.notAcceptable(), coding: errors.noCodingAcceptable() }))
      )
      : refusal('Nothing that the `Accept` header takes is offered', {}, onlyJson(detail({ accept: errors.notAcceptable() }))),
    ...settings.rateLimit && {
      TooManyRequests: refusal(
        'Too many requests in this minute',
        { ...counts, ...retryAfter },
        jsonOrPage(detail({ throttled: errors.throttled(37) }))
      )
    },
    Unavailable: refusal(
      'More lists are asked for that nobody asked for before than the server can make in time',
      { ...counts, ...retryAfter },
      jsonOrPage(detail({ overload: errors.unavailable(1) }))
    ),
    ServerError: refusal('A fault of the server', counts, jsonOrPage(detail({ fault: errors.internal() }))),
    Preflight: {
      description: 'The answer to a CORS preflight, which needs no token and is not counted',
      headers: { ...ofLists, ...ofPreflights },
      ...provisional
    },
    Metadata: {
      description: 'The name of the list and what it gives',
      headers: { ...ofLists, ...counts },
      ...jsonOrPage({ schema: schemaRef('Metadata'), examples: { bikes: { value: metadataOf({ name: 'Bike List' }) } } })
    }
  }
}

export const responseRef = (name: string) => ({ $ref: `#/components/responses/${name}` })

/** The errors that a list can answer any method with, by status. */
export function refusalsOf ({ access, filters }: Resource, { rateLimit }: Settings): Fragment {
  return {
    400: responseRef(Object.keys(filters).length === 0 ? 'BadRequest' : 'BadFilter'),
    ...access === 'token' ? { 401: responseRef('Unauthorized') } : {},
    404: responseRef('NotFound'),
    405: responseRef('MethodNotAllowed'),
    406: responseRef('NotAcceptable'),
    ...rateLimit ? { 429: responseRef('TooManyRequests') } : {},
    500: responseRef('ServerError')
  }
}

/** The 304 of a list. */
export function notModified (resource: Resource, settings: Settings): Fragment {
  const headers = { ...ofLists, ...cached(resource), ...counted(settings) }
  return { description: 'Nothing changed since the answer with the tag of `If-None-Match`', headers, ...provisional }
}
