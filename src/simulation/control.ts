import type { FastifyRequest } from 'fastify'
import type { Selection } from '../lists/selection.ts'
import { createExamples } from './examples.ts'
import { createRequestLog, toRequest } from './request-log.ts'
import { createRules } from './rules.ts'
import { noteOf, type Simulated } from './simulated.ts'

declare module 'fastify' {
  interface FastifyInstance {
    simulation: Simulation | undefined
  }
}

export type Simulation = ReturnType<typeof createSimulation>

/** The decorator of a simulating server: rules, recorded requests, and the simulation of a request for its routes. */
export function createSimulation (secrets: () => readonly string[], seed: number) {
  const [rules, requestLog] = [createRules(seed), createRequestLog(secrets)]
  return {
    ...rules,
    rules: rules.list,
    resetRules: rules.reset,
    requestLog,
    recorded: requestLog.list,
    requests: () => requestLog.list().map(toRequest),
    reset: () => { rules.reset(); requestLog.reset() },
    simulatedOf: ({ simulated }: FastifyRequest) => simulated,
    causeOf: ({ simulated }: FastifyRequest) => simulated?.recorded.simulated ?? undefined,
    noteOf,
    createExamples: examplesOf
  }
}

function examplesOf<Lists extends object> (make: (select: (list: Selection) => Selection) => Lists) {
  const listsOf = createExamples(make)
  return ({ simulated }: FastifyRequest) => listsOf((simulated as Simulated).plan) // every GET of a list has one
}
