import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../settings/settings.ts'
import { errors } from './errors.ts'
import { connectRedis } from './redis.ts'

/** Counts a request and says so in its headers; gives the seconds to wait when it is one too many, otherwise 0. */
export type Count = (request: FastifyRequest, reply: FastifyReply) => Promise<number>

/** The allowances: of an address over all v1 lists, of a token for v2, and of an address for the token form. */
export type Limits = { address: Count, token: Count, form: Count }

/** Tokens that one address can ask for in a minute. */
const formsPerMinute = 10

/**
 * Makes the allowances, each of a window of one minute (decisions R1 to R3). With `redisUrl` they are shared by all servers
 * of that Redis; while it is away nobody is limited, because an answer matters more than the limit.
 */
export async function createLimits (app: FastifyInstance, { rateLimit: isOn, rateLimitV1, rateLimitV2, redisUrl }: Settings): Promise<Limits> {
  const redis = isOn && redisUrl !== undefined ? await connectRedis(app, redisUrl) : undefined
  await app.register(rateLimit, { global: false, skipOnError: true, nameSpace: 'bicycle-catalogue:', redis })

  function allowance (name: string, max: number, client: (request: FastifyRequest) => string): Count {
    if (!isOn) return async () => 0
    const count = app.createRateLimit({ max, timeWindow: 60_000, keyGenerator: request => `${name}:${client(request)}` })
    return async (request, reply) => {
      const { remaining, ttlInSeconds, isExceeded } = await count(request) as { remaining: number, ttlInSeconds: number, isExceeded: boolean }
      reply.headers({ 'x-ratelimit-limit': max, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': ttlInSeconds })
      return isExceeded ? Math.max(1, ttlInSeconds) : 0
    }
  }

  const address = ({ ip }: FastifyRequest) => normalizeIP(ip)
  return {
    address: allowance('v1', rateLimitV1, address),
    token: allowance('v2', rateLimitV2, ({ client }) => client),
    form: allowance('form', formsPerMinute, address)
  }
}

/** Gives the hook that counts a request and refuses it with 429 when it is one too many. */
export function limit (count: Count) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const seconds = await count(request, reply)
    if (seconds > 0) throw errors.throttled(seconds)
  }
}
