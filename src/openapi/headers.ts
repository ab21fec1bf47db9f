import { corsHeaders } from '../http/cors.ts'
import { allowedMethods } from '../http/methods.ts'
import type { Resource } from '../lists/resources.ts'
import { provisional, type Part } from './schema.ts'

const text = (value: string) => ({ type: 'string', const: value })
const integer = { type: 'integer', minimum: 0 }

/** Every header that an answer can carry. */
export const headerComponents: Readonly<Record<string, Part>> = {
  Allow: { description: 'The methods that the address takes', required: true, schema: text(allowedMethods) },
  Vary: { description: 'The answer depends on the Accept header', required: true, schema: { type: 'string', enum: ['Accept', 'Accept, Accept-Encoding'] } },
  ETag: { description: 'The tag of this representation, good for its own URL only', required: true, schema: { type: 'string', pattern: '^"[^"]+"$' }, ...provisional },
  LastModified: { description: 'When the data changed last', required: true, schema: { type: 'string', pattern: ' GMT$' }, ...provisional },
  NoStore: { description: 'Never kept', required: true, schema: text('no-store'), ...provisional },
  RateLimitLimit: { description: 'Requests a minute; absent where nothing is limited', schema: integer, ...provisional },
  RateLimitRemaining: { description: 'Requests left in this minute', schema: integer, ...provisional },
  RateLimitReset: { description: 'Seconds until the minute ends', schema: integer, ...provisional },
  RetryAfter: { description: 'Seconds to wait', required: true, schema: { type: 'integer', minimum: 1 }, ...provisional },
  WwwAuthenticate: { description: 'The scheme of the credentials that are wanted', required: true, schema: text('Token'), ...provisional },
  AllowOrigin: { description: 'Scripts of any origin may read the answer', required: true, schema: text(corsHeaders['access-control-allow-origin']), ...provisional },
  ExposeHeaders: { description: 'The headers that scripts of other origins may read', required: true, schema: text(corsHeaders['access-control-expose-headers']), ...provisional }
}

const ref = (name: string) => ({ $ref: `#/components/headers/${name}` })

/** On every answer to any address. */
export const everywhere = {
  'Access-Control-Allow-Origin': ref('AllowOrigin'),
  'Access-Control-Expose-Headers': ref('ExposeHeaders')
}

/** On every answer of a list. */
export const ofLists = { Allow: ref('Allow'), Vary: ref('Vary'), ...everywhere }

/** On every answer that counts against an allowance. */
export const counted = {
  'X-RateLimit-Limit': ref('RateLimitLimit'),
  'X-RateLimit-Remaining': ref('RateLimitRemaining'),
  'X-RateLimit-Reset': ref('RateLimitReset')
}

/** On every error. */
export const uncached = { 'Cache-Control': ref('NoStore') }

export const retryAfter = { 'Retry-After': ref('RetryAfter') }
export const wwwAuthenticate = { 'WWW-Authenticate': ref('WwwAuthenticate') }

/** The lists whose caching the specification states ("Limits"). */
const statedPaths = ['/api/v1/bikes/', '/api/v1/wheels/', '/api/v1/tyres/', '/api/v1/chains/', '/api/v1/groupsets/']

/** On the answers of a list that a cache may keep: how long, and the tag to ask again with. */
export function cached ({ path, maxAge }: Resource): Part {
  const control = maxAge === null
    ? { description: 'A browser may keep the answer, but asks again before each use', required: true, schema: text('private, no-cache') }
    : { description: `Good for ${maxAge} seconds`, required: true, schema: text(`public, max-age=${maxAge}`) }
  return { 'Cache-Control': statedPaths.includes(path) ? control : { ...control, ...provisional }, ETag: ref('ETag') }
}

export const lastModified = { 'Last-Modified': ref('LastModified') }
