import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import { formLimits, limitWindow, type Settings } from '../settings/settings.ts'
import { errors } from './errors.ts'
import { clientAddress } from './forwarded.ts'
import { setHeaders } from './headers.ts'
import { warnOnce } from './log.ts'
import { createMemoryStore, maxClients, type CountWindow } from './window-store.ts'

/** The rest of a client's window; `reset` and `wait` are seconds, `wait` is 0 unless the limit is exceeded. */
export type RateLimit = { limit: number, remaining: number, reset: number, wait: number }

/** Counts a request, and calls back once; at once if it counts in memory. */
export type Count = (request: FastifyRequest, done: (rateLimit: RateLimit) => void) => void

const isOwnMachine = /^(?:::ffff:)?127\.|^::1$/

/**
 * Creates the limits, with windows of one minute from a client's first request (contract D28, D29); undefined when they
 * are off.
 */
export async function createLimits (app: FastifyInstance, settings: Settings) {
  const { rateLimitV1, rateLimitV2, redisUrl } = settings
  if (!settings.rateLimit) return undefined
  const redis = redisUrl === undefined ? undefined : await connect(app, redisUrl)
  const storeOf = (name: string) => redis?.storeOf(name) ?? createMemoryStore()
  const hint = warnOnce(app.logger, exceededHint)
  const network = createNetworkReader()
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

/**
 * Returns a function that returns the address of a client; of an IPv6 address, the /64 of a subscriber. Normalising one
 * takes 17 µs.
 */
function createNetworkReader (): (request: FastifyRequest) => string {
  const networks = new LRUCache<string, string>({ max: maxClients, memoMethod: address => normalizeIP(address) })
  return request => {
    const address = clientAddress(request)
    return address.includes(':') ? networks.memo(address) : address
  }
}

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

/**
 * Returns the onRequest hooks that count a request, and respond with 429 to one that exceeds the limit; none without a
 * limit.
 */
export function rateLimitHooks (count: Count | undefined): onRequestHookHandler[] {
  if (count === undefined) return []
  return [(request, reply, done) => {
    count(request, rateLimit => {
      setHeaders(reply, rateLimitHeaders(rateLimit))
      if (rateLimit.wait > 0) done(errors.throttled(rateLimit.wait))
      else done()
    })
  }]
}
