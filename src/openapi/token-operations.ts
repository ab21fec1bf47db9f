import { errors } from '../http/errors.ts'
import { counted, everywhere, retryAfter, uncached } from './headers.ts'
import { jsonOrPage } from './responses.ts'
import { provisional, type Part } from './schema.ts'
import { schemaRef } from './schemas.ts'

const headers = { ...everywhere, ...uncached }
const refusal = (description: string, content: Part, more: Part = {}) => ({ description, headers: { ...headers, ...more }, content })
const detail = jsonOrPage({ schema: schemaRef('Detail') })
const page = { 'text/html; charset=utf-8': { schema: { type: 'string' } } }
const allow = { Allow: { required: true, schema: { type: 'string', const: 'GET, HEAD, POST' } } }

/** What can be done with the form that issues tokens. */
export const tokenOperations: Part = {
  get: {
    operationId: 'readTokenForm',
    summary: 'The form that issues tokens',
    description: 'A page for a person.',
    tags: ['tokens'],
    responses: { 200: { description: 'The form', headers, content: page }, 405: refusal('The answer to any other method', detail, allow) },
    ...provisional
  },
  post: {
    operationId: 'issueToken',
    summary: 'Issue a token',
    description: 'A program that accepts `application/json` gets the token as JSON. No account is needed; ten a minute can be had from one address.',
    tags: ['tokens'],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            required: ['label'],
            properties: { label: { type: 'string', minLength: 1, maxLength: 100, description: 'What the token is for, in your own words' } }
          },
          examples: { label: { value: { label: 'Trying it out' } } }
        }
      }
    },
    responses: {
      200: { description: 'The token', headers: { ...headers, ...counted }, content: jsonOrPage({ schema: schemaRef('IssuedToken') }) },
      400: refusal('The label is missing or too long', jsonOrPage({
        schema: { anyOf: [schemaRef('FieldErrors'), schemaRef('Detail')] },
        examples: { label: { value: { label: ['This field is required.'] } } }
      }), counted),
      406: refusal('Nothing that the `Accept` header takes is offered', { 'application/json': { schema: schemaRef('Detail'), examples: { accept: { value: errors.notAcceptable().body } } } }),
      413: refusal('The form is longer than 4096 bytes', detail, counted),
      415: refusal('The body is no form', detail, counted),
      429: refusal('Too many tokens in this minute', detail, { ...counted, ...retryAfter }),
      500: refusal('A fault of the server', detail, counted)
    },
    ...provisional
  }
}
