import { SocketAddress } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Settings } from '../settings/settings.ts'
import { errors } from './errors.ts'
import { addressOf } from './forwarded.ts'
import { connectRedis, windowMilliseconds, type SharedCounter, type Tally } from './redis.ts'
import { formTaken } from './token-form.ts'

/** What a client may still ask for; `reset` and `wait` are seconds, `wait` is 0 unless the request was one too many. */
export type Quota = { limit: number, remaining: number, reset: number, wait: number }

/** Counts a request; a promise only where the count is shared. */
export type Count = (request: FastifyRequest) => Quota | Promise<Quota>

export type Limits = {
  /** Of an address over all v1 lists. */
  address: Count
  /** Of a token for v2. */
  token: Count
  /** Of an address for the token form. */
  form: Count
  /** Whether the Redis that holds the counts answers; undefined where they are this server's own. */
  shared: () => 'up' | 'away' | undefined
}

/** Clients whose count is kept, for each allowance; beyond that the one that was silent for longest starts anew. */
const clientsInMemory = 5000

/** How often each client has asked, until the end of its window on the clock of `performance.now()`. */
type Windows = LRUCache<string, { end: number, requests: number }>

/**
 * Makes the allowances, each of a window of one minute from a client's first request (decisions R1 to R3), or undefined where
 * nobody is limited. With `redisUrl` they are shared by all servers of that Redis.
 */
export async function createLimits (app: FastifyInstance, settings: Settings): Promise<Limits | undefined> {
  const { rateLimit, rateLimitV1, rateLimitV2, redisUrl } = settings
  if (!rateLimit) return undefined
  const redis = redisUrl === undefined ? undefined : await connectRedis(redisUrl, app.journal)
  if (redis !== undefined) {
    app.addHook('onClose', async () => redis.close())
    app.metrics?.tell('redis_up', () => [[Number(redis.state() === 'up')]])
  }

  function allowance (name: string, limit: number, nameOf: (request: FastifyRequest) => string): Count {
    const count = redis === undefined ? countIn(windowsOf(name, limit)) : countShared(redis, name)
    return request => {
      const tally = count(nameOf(request))
      return tally instanceof Promise ? tally.then(tally => quotaOf(limit, tally)) : quotaOf(limit, tally)
    }
  }

  function windowsOf (name: string, limit: number): Windows {
    const windows: Windows = new LRUCache({ max: clientsInMemory })
    app.metrics?.tell('clients', () => {
      const open = [...windows.values()].filter(({ end }) => end > performance.now())
      const usedUp = open.filter(({ requests }) => requests >= limit).length
      return [[open.length - usedUp, name, 'within'], [usedUp, name, 'used_up']]
    })
    return windows
  }

  const address = (request: FastifyRequest) => clientAt(addressOf(request))
  return {
    address: allowance('v1', rateLimitV1, address),
    token: allowance('v2', rateLimitV2, ({ client }) => client),
    form: allowance('form', formTaken.perMinute, address),
    shared: () => redis?.state()
  }
}

/** Counts without a promise: 0.1 µs a request, where a plugin and its asynchronous hook take 1 µs and several turns of the queue. */
function countIn (windows: Windows): (client: string) => Tally {
  return client => {
    const now = performance.now()
    const known = windows.get(client)
    if (known !== undefined && known.end > now) return [++known.requests, known.end - now]
    windows.set(client, { end: now + windowMilliseconds, requests: 1 })
    return [1, windowMilliseconds]
  }
}

function countShared ({ count }: SharedCounter, name: string): (client: string) => Tally | Promise<Tally> {
  return client => count(`bicycle-catalogue:${name}:${client}`)
}

function quotaOf (limit: number, [requests, milliseconds]: Tally): Quota {
  const reset = Math.ceil(milliseconds / 1000)
  return { limit, remaining: Math.max(0, limit - requests), reset, wait: requests > limit ? Math.max(1, reset) : 0 }
}

/** An IPv4 address as Node writes it where a server listens on both families. */
const mapped = /^::ffff:([\d.]+)$/i

/** The client at an address: an IPv4 address, also mapped into IPv6, or the first 64 bits of an IPv6 one, which one subscriber has. */
export function clientAt (address: string): string {
  if (!address.includes(':')) return address
  const [, ipv4] = mapped.exec(address) ?? []
  if (ipv4 !== undefined) return ipv4
  const plain = new SocketAddress({ family: 'ipv6', address }).address // one spelling for each address
  if (plain.includes('.')) return plain.slice(plain.lastIndexOf(':') + 1)
  const [head = [], tail = []] = plain.split('::').map(part => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}

/** Says in the headers of an answer what is left. */
export function tellQuota (reply: FastifyReply, { limit, remaining, reset }: Quota): void {
  reply.headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset })
}

/** Counts a request and refuses it with 429 when it is one too many. */
export function limit (count: Count): onRequestHookHandler {
  return (request, reply, done) => {
    const quota = count(request)
    if (quota instanceof Promise) return quota.then(admit)
    admit(quota)
    done()

    function admit (quota: Quota): void {
      tellQuota(reply, quota)
      if (quota.wait > 0) throw errors.throttled(quota.wait)
    }
  }
}
