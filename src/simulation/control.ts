import type { FastifyRequest } from 'fastify'
import type { Rules } from '../settings/kinds.ts'
import { createAdviser } from './advice.ts'
import { exampleOf } from './examples.ts'
import { readRules } from './preset.ts'
import { createRequestLog, toRequest } from './request-log.ts'
import { createRules } from './rules.ts'

export type Simulation = ReturnType<typeof createSimulation>

/** The decorator of a simulating server: rules, recorded requests, and the simulation of a request for its routes. */
export function createSimulation (secrets: () => readonly string[], seed: number) {
  const [rules, requestLog, adviser] = [createRules(seed), createRequestLog(secrets), createAdviser(secrets)]
  return {
    ...rules,
    /** Replaces the rules of a file or a program, which all others override. @throws {CatalogueErrors | SettingsError} for invalid ones */
    preset: (given: Rules) => rules.preset(readRules(given, seed)),
    resetRules: rules.reset,
    requestLog,
    adviser,
    requests: () => requestLog.list().map(toRequest),
    reset: () => { rules.reset(); requestLog.reset(); adviser.reset() },
    preferenceErrors: ({ simulated }: FastifyRequest) => simulated?.preferred.errors,
    /** Returns the notes of the log on a request: the cause of its simulation, and advice. */
    notesOf: ({ recorded }: FastifyRequest) => {
      const advice = recorded?.advice.map(({ text }) => text).join('; ')
      return { ...recorded?.simulated ? { simulated: recorded.simulated } : {}, ...advice ? { advice } : {} }
    },
    /** Returns the cause of a simulated error; null for any other response. */
    errorCauseOf: ({ simulated, recorded }: FastifyRequest, status: number) => simulated?.plan.code === status ? recorded?.simulated : null,
    exampleOf
  }
}
