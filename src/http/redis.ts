import type { Logger } from 'pino'

/** The number of a client's requests in its window, and the rest of the window in milliseconds. */
export type Tally = readonly [requests: number, milliseconds: number]

export const windowMilliseconds = 60_000

/** The timeout of Redis for a response, or for the start, and the interval between attempts to connect, in milliseconds. */
const [timeout, pause] = [100, 500]

const script = `
local requests = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return { requests, left }`

function isTally (reply: unknown): reply is Tally {
  if (!Array.isArray(reply) || reply.length !== 2 || !reply.every(Number.isSafeInteger)) return false
  const [requests, milliseconds] = reply as unknown as Tally
  return requests > 0 && milliseconds >= 0 && milliseconds <= windowMilliseconds
}

/** Connects to a Redis that counts for several servers, and reconnects while it fails. Logs the first failure, and the recovery. */
export async function connectRedis (url: string, logger: Logger) {
  const { default: { Redis } } = await import('ioredis')
  const redis = new Redis(url, {
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
  let isClosed = false

  redis.on('error', fail).on('close', () => fail(new Error('the connection is closed'))).on('ready', succeed)
  await Promise.race([redis.connect(), new Promise(resolve => { setTimeout(resolve, timeout).unref() })]).catch(fail)
  if (redis.status !== 'ready') fail(new Error(`connection timed out after ${timeout} ms`))
  return { count, close, state: () => state }

  /** Counts a request; resolves to 0 requests while Redis fails, so that rate limiting is off. */
  async function count (key: string): Promise<Tally> {
    try {
      const tally = await redis.eval(script, 1, key, windowMilliseconds)
      if (!isTally(tally)) throw new Error('its reply is not a count')
      if (performance.now() - failedAt > pause) succeed() // logs once when one key fails while others work
      return tally
    } catch (error) {
      fail(error as Error)
      return [0, 0]
    }
  }

  function close (): void {
    isClosed = true
    redis.disconnect()
  }

  function fail ({ message }: Error): void {
    failedAt = performance.now()
    if (state === 'up' && !isClosed) logger.warn(`Redis unavailable (${message}); rate limiting is off until it recovers`)
    state = 'away'
  }

  function succeed (): void {
    if (state === 'away') logger.info('Redis recovered; rate limiting is on again')
    state = 'up'
  }
}
