import { allowedMethods, corsHeaders, listHeadersOf, preflightHeaders } from '../http/headers.ts'
import type { Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { provisional, type Fragment } from './schemas.ts'

/** A header that is always there with this value. */
const fixed = (description: string, value: string) =>
  ({ description, required: true, schema: { type: 'string', const: value }, example: value })

const present = (description: string, schema: Fragment, example: string | number) =>
  ({ description, required: true, schema, example, ...provisional })

/** A header that is there where requests are counted. */
const count = (description: string, example: number) => ({ description, schema: { type: 'integer', minimum: 0 }, example, ...provisional })

const limitComponents = ({ rateLimitV1 }: Settings): Fragment => ({
  RateLimitLimit: count('Requests a minute', rateLimitV1),
  RateLimitRemaining: count('Requests left in this minute', rateLimitV1 - 1),
  RateLimitReset: count('Seconds until the minute ends', 60)
})

const contentEncoding = {
  description: 'How the body is compressed, where `Accept-Encoding` accepts that',
  schema: { type: 'string', enum: ['br', 'gzip'] },
  example: 'br',
  ...provisional
}

/** Every header that an answer can carry. */
export function headerComponents (settings: Settings): Fragment {
  return {
    Allow: fixed('The methods that the address takes', allowedMethods),
    Vary: fixed('The headers of the request that the answer depends on', listHeadersOf(settings).vary),
    ...settings.compress ? { ContentEncoding: contentEncoding } : {},
    ETag: present(
      'The tag of this representation, good for its own URL only',
      { type: 'string', pattern: '^"[^"]+"$' },
      '"Xf3BLxJvKwVtb7mQk2d0aYpQeJc"'
    ),
    LastModified: present('When the data changed last', { type: 'string', pattern: ' GMT$' }, 'Sat, 14 Jun 2025 09:30:00 GMT'),
    NoStore: { ...fixed('Never kept', 'no-store'), ...provisional },
    ...settings.rateLimit ? limitComponents(settings) : {},
    RetryAfter: present('Seconds to wait', { type: 'integer', minimum: 1 }, 37),
    WwwAuthenticate: { ...fixed('The scheme of the credentials that are wanted', 'Token'), ...provisional },
    PreferenceApplied: {
      description: 'What was obeyed of `Prefer`',
      schema: { type: 'string', const: 'handling=strict' },
      example: 'handling=strict',
      ...provisional
    },
    AllowOrigin: { ...fixed('Scripts of any origin may read the answer', corsHeaders['access-control-allow-origin']), ...provisional },
    ExposeHeaders: {
      ...fixed('The headers that scripts of other origins may read', corsHeaders['access-control-expose-headers']),
      ...provisional
    }
  }
}

const ref = (name: string) => ({ $ref: `#/components/headers/${name}` })

/** On every answer to any address. */
export const everywhere = {
  'Access-Control-Allow-Origin': ref('AllowOrigin'),
  'Access-Control-Expose-Headers': ref('ExposeHeaders')
}

/** On every answer of a list. */
export const ofLists = { Allow: ref('Allow'), Vary: ref('Vary'), ...everywhere }

/** On every answer that counts against an allowance; none where nothing is limited. */
export function counted ({ rateLimit }: Settings): Fragment {
  if (!rateLimit) return {}
  return {
    'X-RateLimit-Limit': ref('RateLimitLimit'),
    'X-RateLimit-Remaining': ref('RateLimitRemaining'),
    'X-RateLimit-Reset': ref('RateLimitReset')
  }
}

/** On every list that may be compressed. */
export function coded ({ compress }: Settings): Fragment {
  return compress ? { 'Content-Encoding': ref('ContentEncoding') } : {}
}

/** On every error. */
export const uncached = { 'Cache-Control': ref('NoStore') }

export const retryAfter = { 'Retry-After': ref('RetryAfter') }
export const preferenceApplied = { 'Preference-Applied': ref('PreferenceApplied') }
export const wwwAuthenticate = { 'WWW-Authenticate': ref('WwwAuthenticate') }

/** On the answer to a CORS preflight. */
export const ofPreflights = {
  'Access-Control-Allow-Methods': fixed(
    'The methods that scripts of other origins may use', preflightHeaders['access-control-allow-methods']
  ),
  'Access-Control-Allow-Headers': fixed('The headers that they may send', preflightHeaders['access-control-allow-headers']),
  'Access-Control-Max-Age': present(
    'For how many seconds this holds', { type: 'integer' }, Number(preflightHeaders['access-control-max-age'])
  )
}

/** On the answers of a list that a cache may keep: how long, and the tag to ask again with. */
export function cached ({ maxAge, isAgeStated }: Resource): Fragment {
  const control = maxAge === null
    ? fixed('A browser may keep the answer, but asks again before each use', 'private, no-cache')
    : kept(maxAge)
  return { 'Cache-Control': isAgeStated ? control : { ...control, ...provisional }, ETag: ref('ETag') }
}

/** A strict answer is for the client alone that asked for it. */
function kept (maxAge: number): Fragment {
  const control = `public, max-age=${maxAge}`
  return {
    description: `Good for ${maxAge} seconds, but with \`Prefer\``,
    required: true,
    schema: { type: 'string', enum: [control, 'private, no-cache'] },
    example: control
  }
}

export const lastModified = { 'Last-Modified': ref('LastModified') }
