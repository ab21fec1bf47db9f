import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formLimits, limitWindow } from '../settings/limits.ts'
import { errors } from './errors.ts'
import { clientAddress } from './forwarded.ts'
import { setHeaders } from './headers.ts'
import { warnOnce } from './log.ts'
import { createMemoryStore, type CountWindow } from './window-store.ts'

/** The rest of a client's window; `reset` and `wait` are seconds, `wait` is 0 unless the limit is exceeded. */
export type RateLimit = { limit: number, remaining: number, reset: number, wait: number }

/** Counts a request, and calls back once; at once if it counts in memory. */
export type Count = (request: FastifyRequest, done: (rateLimit: RateLimit) => void) => void

const isOwnMachine = /^(?:::ffff:)?127\.|^::1$/

/**
 * Creates the limits, with windows of one minute from a client's first request (contract D28, D29); undefined when they
 * are off.
 */
export async function createLimits (app: FastifyInstance) {
  const { rateLimit, rateLimitV1, rateLimitV2, redisUrl } = app.settings
  if (!rateLimit) return undefined
  const redis = redisUrl === undefined ? undefined : await connect(app, redisUrl)
  const storeOf = (name: string) => redis?.storeOf(name) ?? createMemoryStore()
  const hint = warnOnce(app.logger, exceededHint)
  const network = (request: FastifyRequest) => networkOf(clientAddress(request))
  return {
    address: createCount(storeOf('v1'), rateLimitV1, network, hint),
    token: createCount(storeOf('v2'), rateLimitV2, request => String(request.client), hint),
    form: createCount(storeOf('form'), formLimits.requests, network, hint),
    /** Returns whether Redis is available; undefined without one. */
    shared: () => redis?.state()
  }
}

async function connect (app: FastifyInstance, redisUrl: string) {
  const { connectRedis } = await import('./redis.ts')
  return await connectRedis(app, redisUrl)
}

function exceededHint (request: FastifyRequest): string | undefined {
  if (!isOwnMachine.test(clientAddress(request))) return undefined
  return 'A client on this machine exceeded the rate limit. Switch it off with --rate-limit off.'
}

export type Limits = Awaited<ReturnType<typeof createLimits>>

/** Returns the address of a client in one spelling; of an IPv6 address, the /64 of a subscriber. */
export function networkOf (address: string): string {
  if (!isIPv6(address)) return address.toLowerCase()
  const [unscoped] = address.split('%')
  const { hostname } = new URL(`http://[${unscoped}]`) // shortened, without dots
  const [head, tail] = hostname.slice(1, -1).split('::')
  const groups = (head || '0').split(':')
  const rest = tail?.split(':') ?? []
  while (groups.length + rest.length < 8) groups.push('0')
  groups.push(...rest)
  const bytes = Buffer.from(groups.map(group => group.padStart(4, '0')).join(''), 'hex')
  const isMapped = bytes.subarray(0, 12).equals(mappedPrefix)
  return isMapped ? bytes.subarray(12).join('.') : `${groups.slice(0, 4).join(':')}::`
}

/** Before an IPv4 address that is mapped to IPv6 (RFC 4291, 2.5.5.2). */
const mappedPrefix = Buffer.from('00000000000000000000ffff', 'hex')

function createCount (
  countWindow: CountWindow,
  limit: number,
  clientOf: (request: FastifyRequest) => string,
  hint: (request: FastifyRequest) => void
): Count {
  return (request, done) => {
    countWindow(clientOf(request), ({ current, ttl }) => {
      const reset = Math.ceil(Math.min(ttl, limitWindow.milliseconds) / 1000)
      if (current <= limit) return done({ limit, remaining: limit - current, reset, wait: 0 })
      hint(request)
      done({ limit, remaining: 0, reset, wait: Math.max(1, reset) })
    })
  }
}

export function rateLimitHeaders ({ limit, remaining, reset }: Omit<RateLimit, 'wait'>) {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset)
  }
}

/** Counts the requests of a scope's routes, and responds with 429 to one that exceeds the limit, if there is one. */
export function addRateLimit (scope: FastifyInstance, count: Count | undefined): void {
  if (count === undefined) return
  scope.addHook('onRequest', (request, reply, done) => {
    count(request, rateLimit => {
      setHeaders(reply, rateLimitHeaders(rateLimit))
      if (rateLimit.wait > 0) done(errors.throttled(rateLimit.wait))
      else done()
    })
  })
}
