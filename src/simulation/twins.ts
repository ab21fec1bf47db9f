import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { LoggedRequest } from './request-log.ts'

/** How long after a client aborted a request the same one is its twin, in milliseconds. */
const abortedTime = 1_000

/**
 * The same after a response, in a browser, in milliseconds: it sends the second of two requests only when the first has
 * its response, as it may be able to use that.
 */
const queuedTime = 50

const maxPending = 1_000

/** A request, and how it ended. */
type Sighting = { entry: LoggedRequest, endedAt: number | undefined, isAborted: boolean }

/** Recognises requests that a client sends twice at once, as React's StrictMode, prefetching and double fetches do. */
export function createTwins () {
  const latest = new LRUCache<string, Sighting>({ max: maxPending })

  return {
    /** Returns the request that another one is the twin of; remembers the other one. */
    meet (request: FastifyRequest, reply: FastifyReply, entry: LoggedRequest): LoggedRequest | undefined {
      const key = twinKeyOf(request)
      const first = latest.get(key)
      const sighting: Sighting = { entry, endedAt: undefined, isAborted: false }
      latest.set(key, sighting)
      reply.raw.once('finish', () => { sighting.endedAt = performance.now() })
      reply.raw.once('close', () => {
        sighting.isAborted = sighting.endedAt === undefined && entry.fault === undefined
        sighting.endedAt ??= performance.now()
      })
      return first !== undefined && isTwin(first, request) ? first.entry : undefined
    }
  }
}

function isTwin ({ entry, endedAt, isAborted }: Sighting, { headers }: FastifyRequest): boolean {
  if (endedAt === undefined) return true
  const elapsed = performance.now() - endedAt
  if (isAborted) return elapsed < abortedTime
  const isBrowser = headers['user-agent']?.startsWith('Mozilla/') === true
  return isBrowser && entry.twinOf === undefined && elapsed < queuedTime
}

/** Headers that differ between twins: a browser has the first response when it sends the second request. */
const conditional = new Set(['if-none-match', 'if-modified-since', 'cache-control', 'pragma', 'connection'])

function twinKeyOf (request: FastifyRequest): string {
  const { method, url, ip } = request
  const headers = Object.entries(request.headers)
  const others = headers.filter(([name]) => !conditional.has(name))
  return JSON.stringify([method, url, ip, others])
}
