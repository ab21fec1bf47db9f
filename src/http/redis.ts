import type { Logger } from 'pino'

/** How often a client has asked in its window, and how many milliseconds are left of it. */
export type Tally = readonly [requests: number, milliseconds: number]

/** Counts that several servers share. */
export type SharedCounter = {
  /** Counts a request; while Redis is away it counts nothing, and at once, because an answer matters more than the limit. */
  count: (key: string) => Tally | Promise<Tally>
  state: () => 'up' | 'away'
  close: () => void
}

export const windowMilliseconds = 60_000

/** No answer waits longer for Redis, and no start. */
const patienceMilliseconds = 100
/** Between two attempts while it is away. */
const pauseMilliseconds = 500

const uncounted: Tally = [0, 0]
const ownKey = 'bicycle-catalogue:probe'

const script = `
local requests = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return { requests, left }`

/**
 * Connects to a Redis and keeps trying. Whatever keeps it from counting, be it dead, hung, full or of another mind about a
 * key, is told once as "away", and once when what failed succeeds again.
 */
export async function connectRedis (url: string, journal: Logger): Promise<SharedCounter> {
  const { default: { Redis } } = await import('ioredis') // the one name that it has in a bundle too
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false, // a command fails at once while there is no connection
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    socketTimeout: 1000, // a connection that has gone silent is replaced
    retryStrategy: () => pauseMilliseconds
  })
  let probe: NodeJS.Timeout | undefined
  let isClosed = false

  redis.on('error', error => goAway(error))
  redis.on('close', () => goAway(new Error('the connection is closed')))
  await inTime(redis.connect()).catch(goAway)
  return { count, state: () => probe === undefined ? 'up' : 'away', close }

  function count (key: string): Tally | Promise<Tally> {
    if (probe !== undefined) return uncounted
    return ask(key).catch((error: Error) => {
      goAway(error, key)
      return uncounted
    })
  }

  function ask (key: string): Promise<Tally> {
    return inTime(redis.eval(script, 1, key, windowMilliseconds) as Promise<Tally>)
  }

  function goAway ({ message }: Error, key = ownKey): void {
    if (probe !== undefined || isClosed) return
    journal.warn(`Redis is away, requests are not limited until it is back: ${message}`)
    probe = setInterval(() => { ask(key).then(comeBack, () => {}) }, pauseMilliseconds).unref()
  }

  function comeBack (): void {
    clearInterval(probe)
    probe = undefined
    journal.info('Redis is back, requests are limited again')
  }

  function close (): void {
    isClosed = true
    clearInterval(probe)
    redis.disconnect()
    redis.stream?.destroy() // a hung Redis would hold the connection open
  }
}

function inTime<T> (answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // Once more round the loop: the answer may have come while this process was busy.
    const timer = setTimeout(() => setImmediate(reject, new Error(`no answer within ${patienceMilliseconds} ms`)), patienceMilliseconds)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
