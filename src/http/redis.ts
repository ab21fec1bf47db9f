import type { FastifyInstance } from 'fastify'
import { Redis } from 'ioredis'
import { clearImmediate, clearTimeout, now, setImmediate, setTimeout, sleep } from '../base/timers.ts'
import { limitWindow } from '../settings/limits.ts'
import { createMemoryStore, type CountedWindow, type CountWindow } from './window-store.ts'

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

/**
 * Connects to a Redis, and reconnects while it fails; requests are counted in memory meanwhile. Logs the first failure,
 * and the recovery.
 */
export async function connectRedis (app: FastifyInstance, url: string) {
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false, // commands fail at once without a connection
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    disconnectTimeout: timeout,
    socketTimeout: 5000, // reconnects; a busy process may read late
    retryStrategy: () => pause
  })
  let state: 'up' | 'away' = 'away'
  let hasWarned = false
  let failedAt = 0
  client.on('error', fail).on('close', () => { state = 'away' }).on('ready', succeed)
  const connected = client.connect().catch(() => {}) // an event has the cause
  await Promise.race([connected, sleep(timeout, undefined, { ref: false })])
  app.addHook('onClose', async () => client.disconnect())
  const read = () => [[Number(state === 'up'), {}] as const]
  app.metrics?.addGauge({ name: 'redis_up', help: 'Whether the Redis that shares rate limits is available.', read })
  return { storeOf, state: () => state }

  /** Returns the store of a limit; Redis has the windows of all. */
  function storeOf (limit: string): CountWindow {
    const countInMemory = createMemoryStore()
    return (address, callback) => {
      if (client.status !== 'ready') return countInMemory(address, callback)
      inTime(count(`bicycle-catalogue:${limit}:${address}`), counted => {
        if (now() - failedAt > pause) succeed() // logs once when one key fails while others work
        callback(counted)
      }, error => {
        fail(error)
        countInMemory(address, callback)
      })
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
    state = 'away'
    if (hasWarned) return
    hasWarned = true
    app.logger.warn(`Redis unavailable (${message}); each server counts requests by itself until it recovers`)
  }

  function succeed (): void {
    state = 'up'
    if (!hasWarned) return
    hasWarned = false
    app.logger.info('Redis recovered; servers share rate limits again')
  }
}

/** Calls back once. A reply that came in time, while this process was busy, is read before the timeout counts. */
function inTime<Reply> (reply: Promise<Reply>, done: (reply: Reply) => void, fail: (error: Error) => void): void {
  let turn: NodeJS.Immediate | undefined
  let isLate = false
  const timer = setTimeout(() => { turn = setImmediate(expire) }, timeout)
  reply.then(
    value => { if (settle()) done(value) },
    (error: Error) => { if (settle()) fail(error) }
  )

  function expire (): void {
    isLate = true
    fail(new Error(`no reply within ${timeout} ms`))
  }

  function settle (): boolean {
    clearTimeout(timer)
    clearImmediate(turn)
    return !isLate
  }
}

/** Returns whether a part of a reply is an integer that is large enough: a key that never expires has a time of -1. */
function isCount (value: unknown, least: number): value is number {
  return Number.isInteger(value) && (value as number) >= least
}
