import type { FastifyRequest } from 'fastify'
import * as timers from '../base/timers.ts'

/** How long after a cut the same request is a retry, in milliseconds, and the most tries of a request, which Firefox makes. */
const [retryTime, maxTries] = [1_000, 10]

/** Clients that report every cut connection. */
const reporting = /^(?:node|undici|axios|got|node-fetch|python-)/i

/**
 * Returns whether a client silently repeats a request after a cut: Firefox and Java on any connection, most others only on one that they
 * have used before. A client without a name may be any of them, unless the cut is random: random cuts would multiply.
 */
function mayRetry ({ headers: { 'user-agent': agent } }: FastifyRequest, isReused: boolean, { tries, isRandom }: Failed): boolean {
  if (agent === undefined) return isReused || !isRandom
  if (/^Java-http-client\//.test(agent)) return tries === 1
  return /\bFirefox\//.test(agent) || (isReused && !reporting.test(agent))
}

/** A request whose connection was cut: how often it was sent, and whether the failure rate chose it. */
type Failed = { tries: number, isRandom: boolean }

/** Recognises retries of requests whose connections were cut; `end` receives each failure when no retry can follow. */
export function createRetries<Failure extends Failed> (
  end: (failure: Failure) => void, { setTimeout, clearTimeout }: Pick<typeof timers, 'setTimeout' | 'clearTimeout'> = timers
) {
  const pending = new Map<NodeJS.Timeout, { key: string, failure: Failure }>()

  return {
    /** Returns the failure that a request retries: the same request from the same address, after the cut. */
    failureOf (request: FastifyRequest): Failure | undefined {
      if (pending.size === 0) return undefined
      const key = keyOf(request)
      const [timer, found] = [...pending].find(([, { key: other }]) => other === key) ?? []
      if (found === undefined) return undefined
      clearTimeout(timer)
      pending.delete(timer as NodeJS.Timeout)
      found.failure.tries++
      return found.failure
    },
    /** Waits for the retry of a request whose connection was cut. */
    wait (request: FastifyRequest, failure: Failure, isReused: boolean): void {
      if (failure.tries >= maxTries || !mayRetry(request, isReused, failure)) return end(failure)
      const timer = setTimeout(() => {
        pending.delete(timer)
        end(failure)
      }, retryTime)
      pending.set(timer, { key: keyOf(request), failure })
    },
    /** Ends all failures. */
    close (): void {
      for (const [timer, { failure }] of pending) {
        clearTimeout(timer)
        end(failure)
      }
      pending.clear()
    }
  }
}

const keyOf = ({ method, originalUrl, ip, headers }: FastifyRequest) => JSON.stringify([method, originalUrl, ip, headers])
