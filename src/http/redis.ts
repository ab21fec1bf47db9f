import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'

/** Connects to a Redis and keeps trying; warns once each time that it goes away, and leaves when the server closes. */
export async function connectRedis (app: FastifyInstance, url: string): Promise<Redis> {
  const { Redis } = await import('ioredis')
  // A command fails at once while there is no connection, so that no answer waits for it.
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, connectTimeout: 1000, lazyConnect: true })
  let isAway = false
  redis.on('error', ({ message }: Error) => {
    if (!isAway) app.journal.warn(`Redis is away, requests are not limited until it is back: ${message}`)
    isAway = true
  })
  redis.on('ready', () => {
    if (isAway) app.journal.info('Redis is back, requests are limited again')
    isAway = false
  })
  app.addHook('onClose', async () => redis.disconnect())
  await redis.connect().catch(() => {}) // told by the error event
  return redis
}
