import { curlLine } from '#assets/curl.js'
import { errors } from '../http/errors.ts'
import { formTaken } from '../http/token-form.ts'
import type { Settings } from '../settings/settings.ts'
import { counted, everywhere, retryAfter, uncached } from './headers.ts'
import { exampleOrigin } from './operations.ts'
import { detail, fieldErrors, htmlType, jsonOrPage, onlyJson } from './responses.ts'
import { provisional, schemaRef, type Fragment } from './schemas.ts'

const headers = { ...everywhere, ...uncached }
const allow = {
  Allow: {
    description: 'The methods that the address takes',
    required: true,
    schema: { type: 'string', const: formTaken.methods },
    example: formTaken.methods
  }
}
const refusal = (description: string, content: Fragment, more: Fragment = {}) =>
  ({ description, headers: { ...headers, ...more }, ...content })

const form = {
  schema: {
    type: 'object',
    required: ['label'],
    properties: {
      label: { type: 'string', minLength: 1, maxLength: formTaken.labelCharacters, description: 'What the token is for, in your own words' }
    }
  },
  examples: { label: { value: { label: 'Trying it out' } } }
}

const example = 'bct_the-token-that-was-issued'

const issued = {
  token: example,
  label: form.examples.label.value.label,
  curl: curlLine({ address: `${exampleOrigin}/api/v2/bikes/?page=1`, token: example })
}

/** What can be done with the form that issues tokens. */
export function tokenOperations (settings: Settings): Fragment {
  const counts = counted(settings)
  const answer = jsonOrPage({ schema: schemaRef('IssuedToken'), examples: { issued: { value: issued } } })
  const missing = errors.badParameters({ label: ['This field is required.'] })
  const limit = settings.rateLimit ? `; ${formTaken.perMinute} a minute can be had from one address` : ''
  return {
    get: {
      operationId: 'readTokenForm',
      summary: 'The form that issues tokens',
      description: 'A page for a person.',
      tags: ['tokens'],
      responses: {
        200: { description: 'The form', headers, content: { [htmlType]: { schema: { type: 'string' } } } },
        405: refusal('The answer to any other method', jsonOrPage(detail({ put: errors.methodNotAllowed('PUT') })), allow)
      },
      ...provisional
    },
    post: {
      operationId: 'issueToken',
      summary: 'Issue a token',
      description: `A program that accepts \`application/json\` gets the token as JSON. No account is needed${limit}.`,
      tags: ['tokens'],
      requestBody: { required: true, content: { 'application/x-www-form-urlencoded': form } },
      responses: {
        200: { description: 'The token', headers: { ...headers, ...counts }, ...answer },
        400: refusal('The label is missing or too long', jsonOrPage(fieldErrors({ label: missing })), counts),
        406: refusal('Nothing that the `Accept` header takes is offered', onlyJson(detail({ accept: errors.notAcceptable() }))),
        413: refusal(`The form is longer than ${formTaken.bytes} bytes`, jsonOrPage(detail({ long: errors.bodyTooLarge() })), counts),
        415: refusal('The body is no form', jsonOrPage(detail({ json: errors.unsupportedMediaType('application/json') })), counts),
        ...settings.rateLimit && {
          429: refusal(
            'Too many tokens in this minute',
            jsonOrPage(detail({ throttled: errors.throttled(37) })),
            { ...counts, ...retryAfter }
          )
        },
        500: refusal('A fault of the server', jsonOrPage(detail({ fault: errors.internal() })), counts)
      },
      ...provisional
    }
  }
}
