import { isIP, SocketAddress } from 'node:net'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Settings } from '../settings/settings.ts'
import { formLimits } from './authentication.ts'
import { errors } from './errors.ts'
import { withoutPort } from './forwarded.ts'
import { warnOnce } from './log.ts'
import { connectRedis, windowMilliseconds, type Tally } from './redis.ts'

/** The rest of a client's window; `reset` and `wait` are seconds, `wait` is 0 unless the limit is exceeded. */
export type RateLimit = { limit: number, remaining: number, reset: number, wait: number }

/** Counts a request; returns a promise only where Redis counts. */
type Count = (request: FastifyRequest) => RateLimit | Promise<RateLimit>

const isOwnMachine = /^(?:::ffff:)?127\.|^::1$/

/** Creates the limits, with windows of one minute from a client's first request (contract D28, D29); undefined when they are off. */
export async function createLimits (app: FastifyInstance, settings: Settings) {
  const { rateLimit, rateLimitV1, rateLimitV2, redisUrl } = settings
  if (!rateLimit) return undefined
  const redis = redisUrl === undefined ? undefined : await connectRedis(redisUrl, app.logger)
  const counters: { name: string, limit: number, windows: LRUCache<string, { end: number, requests: number }> }[] = []
  if (redis === undefined) {
    app.metrics?.addGauge({
      name: 'clients', help: 'Clients in their window, by whether they have used up their rate limit.', labelNames: ['allowance', 'state'],
      read: () => counters.flatMap(({ name: allowance, limit, windows }) => {
        const open = [...windows.values()].filter(({ end }) => end > performance.now())
        const usedUp = open.filter(({ requests }) => requests >= limit).length
        return [[open.length - usedUp, { allowance, state: 'within' }], [usedUp, { allowance, state: 'used_up' }]]
      })
    })
  } else {
    app.addHook('onClose', async () => redis.close())
    const read = () => [[Number(redis.state() === 'up'), {}] as const]
    app.metrics?.addGauge({ name: 'redis_up', help: 'Whether the Redis that shares rate limits is available.', read })
  }
  const hint = warnOnce(app.logger, ({ ip }) => isOwnMachine.test(ip)
    ? 'A client on this machine exceeded the rate limit. Switch it off with --rate-limit off.'
    : undefined)
  const address = (request: FastifyRequest) => clientAt(clientAddress(request))
  return {
    address: counter('v1', rateLimitV1, address),
    token: counter('v2', rateLimitV2, ({ client }) => client),
    form: counter('form', formLimits.perMinute, address),
    /** Returns whether Redis is available; undefined without one. */
    shared: () => redis?.state()
  }

  function counter (name: string, limit: number, clientOf: (request: FastifyRequest) => string): Count {
    if (redis !== undefined) {
      return async request => noted(request, rateLimitOf(limit, await redis.count(`bicycle-catalogue:${name}:${clientOf(request)}`)))
    }
    const windows = new LRUCache<string, { end: number, requests: number }>({ max: 5000 }) // clients; end of performance.now()
    counters.push({ name, limit, windows })
    return request => {
      const [client, now] = [clientOf(request), Math.floor(performance.now())] // of fractions, a minute may exceed 60 seconds
      let window = windows.get(client)
      if (window === undefined || window.end <= now) windows.set(client, window = { end: now + windowMilliseconds, requests: 0 })
      return noted(request, rateLimitOf(limit, [++window.requests, window.end - now]))
    }
  }

  function noted (request: FastifyRequest, rateLimit: RateLimit): RateLimit {
    if (rateLimit.wait > 0) hint(request)
    return rateLimit
  }
}

export type Limits = Awaited<ReturnType<typeof createLimits>>

function rateLimitOf (limit: number, [requests, milliseconds]: Tally): RateLimit {
  const reset = Math.ceil(milliseconds / 1000)
  return { limit, remaining: Math.max(0, limit - requests), reset, wait: requests > limit ? Math.max(1, reset) : 0 }
}

/** Returns the farthest address that a trusted proxy reports, up to an invalid one; empty when the peer has disconnected. */
export function clientAddress ({ ip, ips }: FastifyRequest): string {
  if (ips === undefined) return ip ?? '' // no proxy is trusted
  let known = ''
  for (const address of ips.map(withoutPort)) {
    if (isIP(address) === 0) break
    known = address
  }
  return known
}

/** Returns an IPv4 address, even if mapped into IPv6, or the first 64 bits of an IPv6 address, one subscriber's network. */
export function clientAt (address: string): string {
  if (!address.includes(':')) return address
  const plain = new SocketAddress({ family: 'ipv6', address }).address // normalises the address
  if (plain.includes('.')) return plain.slice(plain.lastIndexOf(':') + 1)
  const [head = [], tail = []] = plain.split('::').map(part => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}

/** Returns the headers of a counted response. */
export function rateLimitHeaders ({ limit, remaining, reset }: Omit<RateLimit, 'wait'>) {
  return { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': String(reset) }
}

/** Returns the onRequest hooks that count a request, and respond with 429 to one that exceeds the limit; none without a limit. */
export function rateLimitHooks (count: Count | undefined): onRequestHookHandler[] {
  if (count === undefined) return []
  return [(request, reply, done) => {
    const check = (rateLimit: RateLimit) => {
      reply.headers(rateLimitHeaders(rateLimit))
      if (rateLimit.wait > 0) throw errors.throttled(rateLimit.wait)
    }
    const counted = count(request)
    if (counted instanceof Promise) counted.then(check).then(() => done(), done)
    else {
      check(counted)
      done()
    }
  }]
}
