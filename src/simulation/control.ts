import type { FastifyRequest } from 'fastify'
import { attempt } from '../base/attempt.ts'
import { below, CatalogueErrors, label, type DataError } from '../catalogue/errors/error.ts'
import { errorsOf, repeatedNames, syntaxErrors } from '../catalogue/errors/positions.ts'
import { createSource, errorAt } from '../catalogue/errors/source.ts'
import { SettingsError } from '../settings/flags.ts'
import type { Rules } from '../settings/kinds.ts'
import { createAdviser } from './advice.ts'
import { exampleOf } from './examples.ts'
import { createRequestLog, toRequest } from './request-log.ts'
import { isField, type RuleError } from './rule.ts'
import { createRules, type ActingRule } from './rules.ts'

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

const example = '[{"path": "/media/*", "code": 503}]'

/**
 * Compiles the rules of a file or a program.
 *
 * @throws {CatalogueErrors} for an invalid file, with lines and columns
 * @throws {SettingsError} for invalid objects
 */
export function readRules (given: Rules, seed: number): readonly ActingRule[] {
  if (!('file' in given)) {
    const { compiled, errors } = compileAll(given, '', seed)
    if (errors.length > 0) throw new SettingsError(errors.map(({ message }) => message).join('\n'))
    return compiled
  }
  const source = createSource('rules', given.file, given.text)
  const { value: content, error } = attempt((): unknown => JSON.parse(given.text))
  if (error !== undefined) throw new CatalogueErrors(syntaxErrors(source))
  const { compiled, errors } = Array.isArray(content)
    ? compileAll(content, source.file, seed)
    : { compiled: [], errors: [errorAt({ source, pointer: '' }, 'type', `must be an array of rules such as ${example}`)] }
  source.errors = [...errors, ...repeatedNames(source)]
  if (source.errors.length > 0) throw new CatalogueErrors(errorsOf(source))
  return compiled
}

function compileAll (given: readonly unknown[], file: string, seed: number) {
  const rules = createRules(seed)
  const errors = given.flatMap((rule, index) => {
    const { error } = attempt(() => rules.add(rule))
    return error === undefined ? [] : errorsOfRule(rule, index, error as unknown as RuleError, file)
  })
  return { compiled: rules.list(), errors }
}

/** Returns the errors of a rule, each at its field, or at the rule if it lacks the field. */
function errorsOfRule (rule: unknown, index: number, { errors }: RuleError, file: string): DataError[] {
  return Object.entries(errors).map(([field, texts]) => {
    const name = label(field === 'non_field_errors' ? `/rules/${index}` : below('/rules', index, field))
    const isPresent = Object.hasOwn(Object(rule), field)
    const pointer = isPresent ? below('', index, field) : below('', index)
    const message = `${name}: ${texts.join(' ')}`
    return { file, line: null, column: null, pointer, rule: isPresent && !isField(field) ? 'additionalProperties' : 'rule', message }
  })
}
