import type { FastifyInstance } from 'fastify'
import { begin } from './turns.ts'

/** How long after a start, or a change of the data, it begins, in milliseconds: a client that waits for the start has its first answers. */
const pause = 1_000

/**
 * A function that schedules what is made before anybody asks for it, in place of what it was given before; closing the server cancels it.
 * Errors are dropped: the request that needs what could not be made meets them again.
 */
export function createIdle (app: FastifyInstance): (make: () => unknown) => void {
  let timer: NodeJS.Timeout | undefined
  app.addHook('onClose', async () => clearTimeout(timer))
  return make => {
    clearTimeout(timer)
    timer = setTimeout(() => begin(make).catch(() => {}), pause).unref()
  }
}
