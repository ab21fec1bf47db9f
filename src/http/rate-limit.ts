import { setTimeout as sleep } from 'node:timers/promises'
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import { formLimits, limitWindow, type Settings } from '../settings/settings.ts'
import { errors } from './errors.ts'
import { clientAddress } from './forwarded.ts'
import { warnOnce } from './log.ts'

/** The timeout of Redis for a response, or for the start, and the interval between attempts to connect, in milliseconds. */
const [timeout, pause] = [100, 500]

/** The rest of a client's window; `reset` and `wait` are seconds, `wait` is 0 unless the limit is exceeded. */
export type RateLimit = { limit: number, remaining: number, reset: number, wait: number }

type Count = (request: FastifyRequest) => Promise<RateLimit>

const isOwnMachine = /^(?:::ffff:)?127\.|^::1$/

/** Creates the limits, with windows of one minute from a client's first request (contract D28, D29); undefined when they are off. */
export async function createLimits (app: FastifyInstance, settings: Settings) {
  const { rateLimitV1, rateLimitV2, redisUrl } = settings
  if (!settings.rateLimit) return undefined
  const redis = redisUrl === undefined ? undefined : await connectRedis(app, redisUrl)
  await app.register(rateLimit, { global: false, redis: redis?.client, nameSpace: 'bicycle-catalogue:' })
  const hint = warnOnce(app.logger, ({ ip }) => isOwnMachine.test(ip)
    ? 'A client on this machine exceeded the rate limit. Switch it off with --rate-limit off.'
    : undefined)
  // Of an IPv6 address, the /64 of a subscriber. Normalising one takes 17 µs.
  const networks = new LRUCache<string, string>({ max: 5000, memoMethod: address => normalizeIP(address) })
  const network = (request: FastifyRequest) => {
    const address = clientAddress(request)
    return address.includes(':') ? networks.memo(address) : address
  }
  return {
    address: counter('v1', rateLimitV1, network),
    token: counter('v2', rateLimitV2, ({ client }) => client),
    form: counter('form', formLimits.requests, network),
    /** Returns whether Redis is available; undefined without one. */
    shared: () => redis?.state()
  }

  /** Redis has the clients of all counters, so their keys begin with the name of theirs. */
  function counter (name: string, max: number, clientOf: (request: FastifyRequest) => string): Count {
    const keyGenerator = (request: FastifyRequest) => `${name}:${clientOf(request)}`
    const consume = app.createRateLimit({ max, timeWindow: limitWindow.milliseconds, keyGenerator })
    const count = async (request: FastifyRequest) => {
      const { remaining, ttl, isExceeded } = await consume(request) as { remaining: number, ttl: number, isExceeded: boolean }
      if (!(remaining >= 0 && ttl >= 0)) throw new Error('its reply is not a count') // NaN, or a key that never expires
      if (isExceeded) hint(request)
      const reset = Math.ceil(ttl / 1000)
      return { limit: max, remaining, reset, wait: isExceeded ? Math.max(1, reset) : 0 }
    }
    const uncounted = { limit: max, remaining: max, reset: 0, wait: 0 }
    if (redis !== undefined) return request => redis.replyOr(uncounted, count(request))
    // In memory, requests of one tick, which a client has pipelined, would all read the last count. They take turns.
    let turn: Promise<unknown> = Promise.resolve()
    return request => {
      const next = () => count(request)
      const counted = turn.then(next, next)
      turn = counted
      return counted
    }
  }
}

export type Limits = Awaited<ReturnType<typeof createLimits>>

/** Connects to a Redis, and reconnects while it fails. Logs the first failure, and the recovery. */
async function connectRedis (app: FastifyInstance, url: string) {
  const { default: { Redis } } = await import('ioredis')
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false, // commands fail at once without a connection
    maxRetriesPerRequest: 0,
    commandTimeout: timeout,
    connectTimeout: 1000,
    disconnectTimeout: timeout,
    socketTimeout: 1000, // reconnects after a timeout
    retryStrategy: () => pause
  })
  let state: 'up' | 'away' = 'up'
  let failedAt = 0
  client.on('error', fail).on('ready', succeed)
  await Promise.race([client.connect(), sleep(timeout, undefined, { ref: false })]).catch(fail)
  if (client.status !== 'ready') fail(new Error(`connection timed out after ${timeout} ms`))
  app.addHook('onClose', async () => client.disconnect())
  const read = () => [[Number(state === 'up'), {}] as const]
  app.metrics?.addGauge({ name: 'redis_up', help: 'Whether the Redis that shares rate limits is available.', read })
  return { client, replyOr, state: () => state }

  async function replyOr<Value> (uncounted: Value, reply: Promise<Value>): Promise<Value> {
    try {
      const value = await reply
      if (performance.now() - failedAt > pause) succeed() // logs once when one key fails while others work
      return value
    } catch (error) {
      fail(error as Error)
      return uncounted
    }
  }

  function fail ({ message }: Error): void {
    failedAt = performance.now()
    if (state === 'up') app.logger.warn(`Redis unavailable (${message}); rate limiting is off until it recovers`)
    state = 'away'
  }

  function succeed (): void {
    if (state === 'away') app.logger.info('Redis recovered; rate limiting is on again')
    state = 'up'
  }
}

export function rateLimitHeaders ({ limit, remaining, reset }: Omit<RateLimit, 'wait'>) {
  return { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': String(reset) }
}

/** Returns the onRequest hooks that count a request, and respond with 429 to one that exceeds the limit; none without a limit. */
export function rateLimitHooks (count: Count | undefined): onRequestHookHandler[] {
  if (count === undefined) return []
  return [async (request, reply) => {
    const rateLimit = await count(request)
    reply.headers(rateLimitHeaders(rateLimit))
    if (rateLimit.wait > 0) throw errors.throttled(rateLimit.wait)
  }]
}
