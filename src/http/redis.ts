import type { FastifyInstance } from 'fastify'
import { Redis } from 'ioredis'
import { now, sleep } from '../base/timers.ts'
import { limitWindow } from '../settings/settings.ts'
import type { CountedWindow, WindowStore } from './window-store.ts'

/** The timeout of Redis for a response, or for the start, in milliseconds. */
const timeout = 100

/** The interval between attempts to connect, in milliseconds. */
const pause = 500

/**
 * Counts a request of a client, whose first one begins a window; both in one step, so that no key stays without an end.
 */
const script = `
local current = redis.call('INCR', KEYS[1])
if current == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { current, redis.call('PTTL', KEYS[1]) }`

/** Connects to a Redis, and reconnects while it fails. Logs the first failure, and the recovery. */
export async function connectRedis (app: FastifyInstance, url: string) {
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
  return { storeOf, state: () => state }

  /** Returns the store of a limit; Redis has the windows of all. */
  function storeOf (limit: string): WindowStore {
    return {
      incr (client, callback) {
        count(`bicycle-catalogue:${limit}:${client}`).then(counted => {
          if (now() - failedAt > pause) succeed() // logs once when one key fails while others work
          callback(null, counted)
        }, (error: Error) => {
          fail(error)
          callback(error)
        })
      }
    }
  }

  async function count (key: string): Promise<CountedWindow> {
    const reply: unknown = await client.eval(script, 1, key, limitWindow.milliseconds)
    const [current, ttl]: unknown[] = Array.isArray(reply) ? reply : []
    const isValid = isCount(current, 1) && isCount(ttl, 0)
    if (!isValid) throw new Error('invalid reply')
    return { current, ttl }
  }

  function fail ({ message }: Error): void {
    failedAt = now()
    if (state === 'up') app.logger.warn(`Redis unavailable (${message}); rate limiting is off until it recovers`)
    state = 'away'
  }

  function succeed (): void {
    if (state === 'away') app.logger.info('Redis recovered; rate limiting is on again')
    state = 'up'
  }
}

/** Returns whether a part of a reply is an integer that is large enough: a key that never expires has a time of -1. */
function isCount (value: unknown, least: number): value is number {
  return Number.isInteger(value) && (value as number) >= least
}
