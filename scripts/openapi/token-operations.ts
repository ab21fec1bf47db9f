import { formLimits, limitWindow } from '../../src/settings/limits.ts'
import { detailedCurl } from '../../src/site/snippets.ts'
import { errors } from '../../src/http/errors.ts'
import { counted, everywhere, retryAfter, uncached } from './headers.ts'
import { detail, fieldErrors, json } from './responses.ts'
import { provisional, schemaRef, type Fragment } from './schemas.ts'

const headers = { ...everywhere, ...uncached }
const allow = {
  Allow: {
    description: 'The methods of this path',
    required: true,
    schema: { type: 'string', const: formLimits.methods },
    example: formLimits.methods
  }
}
const refusal = (description: string, content: Fragment, more: Fragment = counted) =>
  ({ description, headers: { ...headers, ...more }, ...content })

const label = 'Trying it out'
const form = {
  schema: {
    type: 'object',
    properties: {
      label: {
        type: 'string',
        maxLength: formLimits.labelCharacters,
        description: 'What you need the token for, in your own words; nothing stores it'
      }
    }
  },
  examples: { label: { value: { label } }, none: { value: {} } }
}

const tooLong = `Ensure this field has no more than ${formLimits.labelCharacters} characters.`
const token = 'bct_the-token-that-was-issued'
const issued = { token, label, curl: detailedCurl('http://localhost:3000', token) }

/** The operations of the form that issues tokens. */
export const tokenOperations: Fragment = {
  get: {
    operationId: 'readTokenForm',
    summary: 'The form that issues tokens',
    description: 'An HTML page.',
    tags: ['tokens'],
    responses: {
      200: {
        description: 'The form',
        headers,
        content: { 'text/html; charset=utf-8': { schema: { type: 'string' } } }
      },
      405: refusal('Any method but `GET`, `HEAD` and `POST`', detail({ put: errors.methodNotAllowed('PUT') }), allow)
    },
    ...provisional('D27')
  },
  post: {
    operationId: 'issueToken',
    summary: 'Issue a token',
    description: 'Returns JSON to a client that accepts `application/json`, otherwise an HTML page. ' +
      'No account is needed. ' +
      `If the server limits requests, each IP address gets ${formLimits.requests} tokens a ${limitWindow.name}.`,
    tags: ['tokens'],
    requestBody: { content: { 'application/x-www-form-urlencoded': form } },
    responses: {
      200: {
        description: 'The token',
        headers: { ...headers, ...counted },
        ...json({ schema: schemaRef('IssuedToken'), examples: { issued: { value: issued } } })
      },
      400: refusal(
        'The label is too long',
        fieldErrors({ label: errors.badParameters({ label: [tooLong] }) })
      ),
      406: refusal('No available format matches `Accept`', detail({ accept: errors.notAcceptable() })),
      413: refusal(`The form is longer than ${formLimits.bytes} bytes`, detail({ long: errors.bodyTooLarge() })),
      415: refusal('The body is not a form', detail({ json: errors.unsupportedMediaType('application/json') })),
      429: refusal(
        'Rate limit exceeded, if the server has one',
        detail({ throttled: errors.throttled(37) }),
        { ...counted, ...retryAfter }
      ),
      500: refusal('An error of the server', detail({ error: errors.internal() }))
    },
    ...provisional('D27')
  }
}
