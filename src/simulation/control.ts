import type { Server, Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { attempt } from '../base/attempt.ts'
import { createRandom } from '../base/random.ts'
import { below, CatalogueErrors } from '../catalogue/errors/error.ts'
import { locatedErrors, repeatedNames, syntaxErrors } from '../catalogue/errors/positions.ts'
import { createSource, errorAt } from '../catalogue/errors/source.ts'
import type { Rules } from '../settings/kinds.ts'
import { createWaits } from './advice.ts'
import { createDelays } from './faults.ts'
import { createRequestLog, toRequests } from './request-log.ts'
import { RuleError } from './rule.ts'
import { compileRule, compileRules, countedRule, createRules, isActive, isLimited, rulesIn } from './rules.ts'
import type { ActingRule, CountedRule } from './rules.ts'

export type Simulation = ReturnType<typeof createSimulation>

/** What a simulation needs of its server; `request.server` would find it by way of several prototypes. */
type Parts = Pick<FastifyInstance, 'settings' | 'tokens' | 'logger' | 'connections' | 'server'>

/** The decorator of a simulating server: rules, recorded requests, and the simulation of a request for its routes. */
export function createSimulation ({ settings, tokens, logger, connections, server }: Parts) {
  const { seed } = settings
  const table = createRules(connections)
  const requestLog = createRequestLog(tokens.secrets)
  const waits = createWaits(connections)

  return {
    settings,
    tokens,
    logger,
    table,
    requestLog,
    waits,
    delays: createDelays(),
    random: createRandom(seed),
    tcpOf: rememberTcp(server),
    /** Adds a rule, which overrides all earlier ones. @throws {RuleError} */
    simulate: (rule: unknown) => table.add([compileRule(rule, seed)]).map(countedRule)[0] as CountedRule,
    rules: (): CountedRule[] => table.list().map(countedRule),
    /** Returns the rules for a number of requests that were applied to fewer. */
    unused: (): CountedRule[] => table.list().filter(rule => isLimited(rule) && isActive(rule)).map(countedRule),
    /**
     * Replaces the rules of a file or a program, which all others override.
     *
     * @throws {CatalogueErrors | RuleError} for invalid ones
     */
    preset: (given: Rules) => table.preset(readRules(given, seed)),
    requests: () => toRequests(requestLog.list()),
    reset: () => {
      table.reset()
      requestLog.reset()
      waits.reset()
    },
    notesOf
  }
}

/** Returns the notes of the log on a request: the cause of its simulation, and advice. */
function notesOf ({ recorded }: FastifyRequest): { simulated?: string, advice?: string } {
  const notes: ReturnType<typeof notesOf> = {}
  const { simulated = null, advice = [] } = recorded ?? {}
  if (simulated !== null) notes.simulated = simulated
  if (advice.length > 0) notes.advice = advice.map(({ text }) => text).join('; ')
  return notes
}

/** Returns a function that finds the TCP socket of a connection, which a TLS socket does not reveal. */
function rememberTcp (server: Server): (socket: Socket) => Socket | undefined {
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
  const open = new Map<string, Socket>()
  server.on('connection', (tcp: Socket) => {
    const key = keyOf(tcp)
    open.set(key, tcp)
    tcp.once('close', () => open.delete(key))
  })
  return socket => open.get(keyOf(socket))
}

const rulesWanted = 'must be an array of rules such as [{"path": "/media/*", "code": 503}]'

/**
 * Compiles the rules of a file or a program.
 *
 * @throws {CatalogueErrors} for an invalid file, with lines and columns
 * @throws {RuleError} for invalid objects
 */
export function readRules (given: Rules, seed: number): readonly ActingRule[] {
  if (!('file' in given)) return compileRules(given, seed)
  const source = createSource('rules', given.file, given.text)
  const { value: content, error } = attempt((): unknown => JSON.parse(given.text))
  if (error !== undefined) throw new CatalogueErrors(syntaxErrors(source))
  const list = rulesIn(content)
  if (list === undefined) {
    source.errors = [errorAt({ source, pointer: '' }, 'type', rulesWanted)]
    throw new CatalogueErrors(locatedErrors(source))
  }
  const { value: compiled = [], error: invalid } = attempt(() => compileRules(list, seed))
  source.errors = repeatedNames(source)
  for (const [place, texts] of Object.entries(invalid instanceof RuleError ? invalid.errors : {})) {
    const [, index = '', field = ''] = place.split(/^rules\[(\d+)\]\.?/)
    const steps = Object.hasOwn(Object(list[Number(index)]), field) ? [index, field] : [index]
    const pointer = below(Array.isArray(content) ? '' : '/rules', ...steps)
    source.errors.push({ ...errorAt({ source, pointer }, 'rule', ''), message: `${place}: ${texts.join(' ')}` })
  }
  if (source.errors.length > 0) throw new CatalogueErrors(locatedErrors(source))
  return compiled
}
