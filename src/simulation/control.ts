import type { FastifyRequest } from 'fastify'
import { attempt } from '../base/attempt.ts'
import { below, CatalogueErrors, label, type DataError } from '../catalogue/errors/error.ts'
import { locatedErrors, repeatedNames, syntaxErrors } from '../catalogue/errors/positions.ts'
import { createSource, errorAt } from '../catalogue/errors/source.ts'
import type { Connections } from '../http/server.ts'
import { SettingsError } from '../settings/flags.ts'
import type { Rules } from '../settings/kinds.ts'
import { createAdviser } from './advice.ts'
import { createRequestLog, toRequests } from './request-log.ts'
import { isRuleField, type RuleError } from './rule.ts'
import { compileRule, compileRules, countedRule, createRules, isUnused, rulesIn } from './rules.ts'
import type { ActingRule, CountedRule } from './rules.ts'

export type Simulation = ReturnType<typeof createSimulation>

/** The decorator of a simulating server: rules, recorded requests, and the simulation of a request for its routes. */
export function createSimulation (secrets: () => readonly string[], seed: number, connections: Connections) {
  const table = createRules(connections)
  const requestLog = createRequestLog(secrets)
  const adviser = createAdviser(secrets, connections)

  return {
    table,
    requestLog,
    adviser,
    /** Adds a rule, which overrides all earlier ones. @throws {RuleError} */
    simulate: (rule: unknown): CountedRule => {
      const [added] = table.add([compileRule(rule, seed)])
      return countedRule(added as ActingRule)
    },
    /** Adds rules, all or none. @throws {RuleError} */
    add: (given: readonly unknown[]) => table.add(compileRules(given, seed)).map(countedRule),
    /** Puts a rule in the place of another one; undefined if there is none with this id. @throws {RuleError} */
    change: (id: number, rule: unknown) => {
      const changed = table.change(id, compileRule(rule, seed))
      return changed && countedRule(changed)
    },
    /** Puts rules in place of all others, all or none. @throws {RuleError} */
    replace: (given: readonly unknown[]) => table.replaceAll(compileRules(given, seed)).map(countedRule),
    rules: (): CountedRule[] => table.list().map(countedRule),
    /** Returns the rules for a number of requests that were applied to fewer. */
    unused: (): CountedRule[] => table.list().filter(isUnused).map(countedRule),
    /**
     * Replaces the rules of a file or a program, which all others override.
     *
     * @throws {CatalogueErrors | SettingsError} for invalid ones
     */
    preset: (given: Rules) => table.preset(readRules(given, seed)),
    requests: () => toRequests(requestLog.list()),
    reset: () => {
      table.reset()
      requestLog.reset()
      adviser.reset()
    },
    notesOf
  }
}

/** Returns the notes of the log on a request: the cause of its simulation, and advice. */
function notesOf ({ recorded }: FastifyRequest): { simulated?: string, advice?: string } {
  const notes: ReturnType<typeof notesOf> = {}
  if (recorded === null) return notes
  if (recorded.simulated !== null) notes.simulated = recorded.simulated
  if (recorded.advice.length > 0) notes.advice = recorded.advice.map(({ text }) => text).join('; ')
  return notes
}

const rulesWanted = 'must be an array of rules such as [{"path": "/media/*", "code": 503}]'

/**
 * Compiles the rules of a file or a program.
 *
 * @throws {CatalogueErrors} for an invalid file, with lines and columns
 * @throws {SettingsError} for invalid objects
 */
export function readRules (given: Rules, seed: number): readonly ActingRule[] {
  if ('file' in given) return readFile(given, seed)
  const { compiled, errors } = compileAll(given, { file: '', pointer: '' }, seed)
  if (errors.length === 0) return compiled
  const messages = errors.map(({ message }) => message)
  throw new SettingsError(messages.join('\n'))
}

function readFile ({ file, text }: { file: string, text: string }, seed: number): readonly ActingRule[] {
  const source = createSource('rules', file, text)
  const { value: content, error } = attempt((): unknown => JSON.parse(text))
  if (error !== undefined) throw new CatalogueErrors(syntaxErrors(source))
  const list = rulesIn(content)
  if (list === undefined) {
    source.errors = [errorAt({ source, pointer: '' }, 'type', rulesWanted)]
    throw new CatalogueErrors(locatedErrors(source))
  }
  const pointer = Array.isArray(content) ? '' : '/rules'
  const { compiled, errors } = compileAll(list, { file: source.file, pointer }, seed)
  source.errors = [...errors, ...repeatedNames(source)]
  if (source.errors.length > 0) throw new CatalogueErrors(locatedErrors(source))
  return compiled
}

/** The place of a list of rules: a file, and a JSON Pointer into it. */
type RulesPlace = { file: string, pointer: string }

function compileAll (given: readonly unknown[], place: RulesPlace, seed: number) {
  const compiled: ActingRule[] = []
  const errors: DataError[] = []
  for (const [index, rule] of given.entries()) {
    const { value, error } = attempt(() => compileRule(rule, seed))
    if (value === undefined) errors.push(...errorsOfRule(rule, index, error as unknown as RuleError, place))
    else compiled.push(value)
  }
  return { compiled, errors }
}

/** Returns the errors of a rule, each at its field, or at the rule if it lacks the field. */
function errorsOfRule (rule: unknown, index: number, error: RuleError, place: RulesPlace): DataError[] {
  return Object.entries(error.errors).map(([field, texts]) => {
    const isPresent = Object.hasOwn(Object(rule), field)
    return {
      file: place.file,
      line: null,
      column: null,
      pointer: isPresent ? below(place.pointer, index, field) : below(place.pointer, index),
      rule: isPresent && !isRuleField(field) ? 'additionalProperties' : 'rule',
      message: `${fieldLabel(index, field)}: ${texts.join(' ')}`
    }
  })
}

/** Names a field of a rule, such as `rules[0].code`, or the rule as a whole. */
function fieldLabel (index: number, field: string): string {
  return label(field === 'non_field_errors' ? `/rules/${index}` : below('/rules', index, field))
}
