import { allowedMethods, corsHeaders, preflightHeaders } from '../../src/http/headers.ts'
import type { Resource } from '../../src/lists/resources.ts'
import { limitWindow } from '../../src/settings/limits.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { provisional, type Fragment } from './schemas.ts'

const oneOf = (description: string, values: readonly [string, ...string[]]) =>
  ({ description, required: true, schema: { type: 'string', enum: values }, example: values[0] })

const fixed = (description: string, value: string) =>
  ({ description, required: true, schema: { type: 'string', const: value }, example: value })

const required = (clause: string, description: string, schema: Fragment, example: string | number) =>
  ({ description, required: true, schema, example, ...provisional(clause) })

const rateLimited = (description: string, example: number) => ({
  description: `${description}; if the server limits requests`,
  schema: { type: 'integer', minimum: 0 },
  example,
  ...provisional('D28')
})

/** Every header that a response can have. */
export const headerComponents: Fragment = {
  Allow: fixed('The methods of this path', allowedMethods),
  Vary: oneOf('The request headers that the response depends on', [
    'Accept',
    'Accept, Accept-Encoding',
    'Accept, Origin',
    'Accept, Accept-Encoding, Origin'
  ]),
  ContentEncoding: {
    description: 'The coding of the body, if the server compresses and `Accept-Encoding` accepts it',
    schema: { type: 'string', enum: ['br', 'gzip'] },
    example: 'br',
    ...provisional('D20')
  },
  ETag: required(
    'D19',
    'The tag of this representation; valid for its own URL only',
    { type: 'string', pattern: '^"[^"]+"$' },
    '"Xf3BLxJvKwVtb7mQk2d0aYpQeJc"'
  ),
  LastModified: required(
    'D19',
    'When the data last changed',
    { type: 'string', pattern: ' GMT$' },
    'Sat, 14 Jun 2025 09:30:00 GMT'
  ),
  NoStore: { ...fixed('Errors are not cached', 'no-store'), ...provisional('D17') },
  RateLimitLimit: rateLimited(`Requests a ${limitWindow.name}`, defaultSettings.rateLimitV1),
  RateLimitRemaining: rateLimited('Requests left in this minute', defaultSettings.rateLimitV1 - 1),
  RateLimitReset: rateLimited('Seconds until the minute ends', 60),
  RetryAfter: required('F17', 'Seconds to wait', { type: 'integer', minimum: 1 }, 37),
  WwwAuthenticate: { ...fixed('The authentication scheme', 'Token'), ...provisional('F13') },
  PreferenceApplied: {
    description: 'The part of `Prefer` that the server applied',
    schema: { type: 'string', const: 'handling=strict' },
    example: 'handling=strict',
    ...provisional('D24')
  },
  AllowOrigin: required(
    'D21',
    '`*`, so that scripts of any origin may read the response; ' +
      'the origin of the request, if they may send credentials',
    { type: 'string' },
    corsHeaders['access-control-allow-origin']
  ),
  ExposeHeaders: {
    ...fixed('The headers that scripts of other origins may read', corsHeaders['access-control-expose-headers']),
    ...provisional('D21')
  }
}

const ref = (name: string) => ({ $ref: `#/components/headers/${name}` })

/** On every response of any path. */
export const everywhere = {
  'Access-Control-Allow-Origin': ref('AllowOrigin'),
  'Access-Control-Expose-Headers': ref('ExposeHeaders')
}

/** On every response of a list. */
export const ofLists = { Allow: ref('Allow'), Vary: ref('Vary'), ...everywhere }

/** On every response that counts towards a rate limit. */
export const counted = {
  'X-RateLimit-Limit': ref('RateLimitLimit'),
  'X-RateLimit-Remaining': ref('RateLimitRemaining'),
  'X-RateLimit-Reset': ref('RateLimitReset')
}

/** On every error. */
export const uncached = { 'Cache-Control': ref('NoStore') }

export const coded = { 'Content-Encoding': ref('ContentEncoding') }
export const lastModified = { 'Last-Modified': ref('LastModified') }
export const retryAfter = { 'Retry-After': ref('RetryAfter') }
export const preferenceApplied = { 'Preference-Applied': ref('PreferenceApplied') }
export const wwwAuthenticate = { 'WWW-Authenticate': ref('WwwAuthenticate') }

/** On the response to a CORS preflight. */
export const ofPreflights = {
  'Access-Control-Allow-Methods': fixed(
    'The methods that scripts of other origins may use', preflightHeaders['access-control-allow-methods']
  ),
  'Access-Control-Allow-Headers': required(
    'D21', 'The headers that they may send', { type: 'string' }, preflightHeaders['access-control-allow-headers']
  ),
  'Access-Control-Max-Age': required(
    'D21',
    'For how many seconds browsers cache this',
    { type: 'integer' },
    Number(preflightHeaders['access-control-max-age'])
  )
}

/** On a list that caches may store. A response to `Prefer: handling=strict` is private. */
export function cached ({ maxAge, isAgeStated }: Resource): Fragment {
  const revalidated = 'private, no-cache'
  const control = maxAge === null
    ? fixed('A browser may store the response, but revalidates it before each use', revalidated)
    : oneOf(`Fresh for ${maxAge} seconds; must be revalidated with \`Prefer\``, [
      `public, max-age=${maxAge}`,
      revalidated
    ])
  const clause = maxAge === null ? 'D18' : 'D17'
  return { 'Cache-Control': isAgeStated ? control : { ...control, ...provisional(clause) }, ETag: ref('ETag') }
}
