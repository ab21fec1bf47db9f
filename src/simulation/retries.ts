import type { FastifyRequest } from 'fastify'
import * as timers from '../base/timers.ts'

/** How long after a cut the same request is a retry, in milliseconds. */
const retryTime = 1_000

/** The most tries of a request, which Firefox makes. */
const maxTries = 10

/** Clients that report every cut connection. */
const reporting = /^(?:node|undici|axios|got|node-fetch|python-)/i

export type CutRequest = Pick<FastifyRequest, 'method' | 'originalUrl' | 'ip' | 'headers' | 'simulated' | 'recorded'>

/**
 * Returns whether a client silently repeats a request after a cut: Firefox and Java on any connection, most others only
 * on one that they have used before. A client without a name may be any of them, unless the cut is random: random cuts
 * would multiply.
 */
function mayRetry ({ headers, simulated, recorded }: CutRequest, isReused: boolean): boolean {
  const agent = headers['user-agent']
  if (agent === undefined) return isReused || simulated?.plan.setting !== 'failure-rate'
  if (agent.startsWith('Java-http-client/')) return recorded?.tries === 1
  if (/\bFirefox\//.test(agent)) return true
  return isReused && !reporting.test(agent)
}

/**
 * Recognises retries of requests whose connections were cut; `end` receives the first of them when no retry can
 * follow.
 */
export function createRetries (
  end: (first: CutRequest) => void,
  { setTimeout, clearTimeout }: Pick<typeof timers, 'setTimeout' | 'clearTimeout'> = timers
) {
  const pending = new Map<NodeJS.Timeout, CutRequest>()

  return {
    /** Returns the request that another one retries: the same from the same address, after the cut. */
    retriedBy (request: CutRequest): CutRequest | undefined {
      if (pending.size === 0) return undefined
      const key = retryKeyOf(request)
      const [timer, first] = [...pending].find(([, other]) => retryKeyOf(other) === key) ?? []
      clearTimeout(timer)
      pending.delete(timer as NodeJS.Timeout)
      return first
    },
    /** Waits for a retry of a request, whose connection was cut once more. */
    wait (first: CutRequest, isReused: boolean): void {
      if (first.recorded?.tries === maxTries || !mayRetry(first, isReused)) return end(first)
      const timer = setTimeout(() => {
        pending.delete(timer)
        end(first)
      }, retryTime)
      pending.set(timer, first)
    },
    close (): void {
      for (const [timer, first] of pending) {
        clearTimeout(timer)
        end(first)
      }
      pending.clear()
    }
  }
}

function retryKeyOf ({ method, originalUrl, ip, headers }: CutRequest): string {
  return JSON.stringify([method, originalUrl, ip, headers])
}
