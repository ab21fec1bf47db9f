import type { ListKey } from '../../schemas/lists.ts'
import { Limited, Unreachable, type HttpResponse, type Send } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { checkOf, createLedger, idOf, isStated, Untried, type Check, type Found, type Ledger, type Target } from './check.ts'
import { commonProbes } from './common.ts'
import type { Context } from './exchange.ts'
import { filterProbes } from './filters.ts'
import { listProbes, type Probe, type Probing } from './probes.ts'
import { judgeProperties, properties } from './properties.ts'
import { relations } from './relations.ts'
import { collect, type Collected, type Series, type Session } from './requests.ts'

const probes = [...listProbes, ...filterProbes]

/** Returns the rows that concern a list. */
const of = <Row extends { of?: (resource: Resource) => boolean }>(rows: readonly Row[], resource: Resource) =>
  rows.filter(({ of }) => of?.(resource) !== false)

/** Every check, in the order of a report. */
export const checks: readonly Check[] = [
  ...resources.flatMap(resource => of([...properties, ...relations, ...probes], resource).map(row => checkOf(resource, row))),
  ...commonProbes
]

/** The server to check, and whether to send methods other than GET, HEAD and OPTIONS. */
export type Subject = Target & { send: Send, signal: AbortSignal, probeWrites: boolean }

/** Why a property was not judged, by its kind. */
const lacking = { page: 'needs a list in pages', linked: 'needs a second page', later: 'needs a second page' }

/** Runs the checks of a ledger, list by list. @throws {Unreachable} for a server that does not respond */
export async function runChecks (subject: Subject, ledger: Ledger): Promise<void> {
  const { base, token, probeWrites } = subject
  const send = patient(subject)
  const context: Context = { base, token, pathOf: path => base.pathname.replace(/\/$/, '') + path, fitness: {} }
  const session: Session = { ...context, ledger, send, judge: exchange => judgeProperties(exchange, context) }
  const lists = new Map<ListKey, Collected>()
  const lacks = { token: token === undefined, 'probe-writes': !probeWrites }
  for (const resource of resources.filter(({ key }) => checks.some(({ id }) => id.startsWith(`${key}/`) && ledger.has(id)))) {
    const own = checks.filter(({ id }) => id.startsWith(idOf(resource, '')))
    const skip = (reason: string) => own.forEach(({ id }) => ledger.skip(id, reason))
    try {
      const isReadable = resource.access === 'public' || token !== undefined
      const own = isReadable ? await relate(session, resource, lists) : undefined
      if (own !== undefined) lists.set(resource.key, own)
      const reason = own === undefined ? 'needs --token' : reasonOf(resource, own)
      for (const { id, needs, probe } of of(probes, resource)) {
        const check = idOf(resource, id)
        const lacking = needs !== undefined && lacks[needs] ? `needs --${needs}` : needs === undefined ? reason : undefined
        if (lacking !== undefined) ledger.skip(check, lacking)
        else await tryProbe(ledger, check, needs, ask => probe(probingOf(resource, own ?? new Map(), ask)))
      }
      if (reason !== undefined) skip(reason)
      for (const { id, kind } of properties) {
        ledger.skip(idOf(resource, id), lacking[kind as keyof typeof lacking] ?? 'needs a list')
      }
    } catch (error) {
      skip(untriedReason(error))
    }
  }
  const known = new Map<string, HttpResponse>()
  for (const { id, needs, path, probe } of commonProbes) {
    const resource = resources.find(list => list.path === path)
    const own = resource && lists.get(resource.key)
    const reason = own && reasonOf(resource, own)
    const lacking = needs !== undefined && lacks[needs] ? `needs --${needs}` : reason
    if (lacking !== undefined) ledger.skip(id, lacking)
    else await tryProbe(ledger, id, needs, ask => probe({ ask, bikes: lists.get('bikes'), context }), known)
  }

  function probingOf (resource: Resource, own: Collected, ask: Probing['ask']): Probing {
    const credentials = resource.access === 'token' && token !== undefined ? { authorization: `Token ${token}` } : {}
    const get: Probing['ask'] = (query, headers, method) =>
      ask(context.pathOf(resource.path) + query, { ...credentials, ...headers }, method)
    return { resource, own, ask, get, context }
  }

  /** Runs a probe; a stated one that finds something once more, as data may have changed. */
  async function tryProbe (
    ledger: Ledger, id: string, needs: Probe['needs'], run: (ask: Probing['ask']) => ReturnType<Probe['probe']>,
    known = new Map<string, HttpResponse>()
  ): Promise<void> {
    if (!ledger.has(id)) return
    const asker = (known: Map<string, HttpResponse>): Probing['ask'] => async (target, headers = {}, method = 'GET') => {
      const key = JSON.stringify([target, headers, method])
      const response = known.get(key) ?? await send({ method, target, headers })
      known.set(key, response)
      return response
    }
    try {
      const isRepeated = isStated((checks.find(check => check.id === id) as Check).source) && needs !== 'probe-writes'
      let found = await run(asker(known))
      if (isRepeated && typeof found !== 'string' && found.length > 0) found = await run(asker(new Map()))
      if (typeof found === 'string') ledger.skip(id, found)
      else ledger.add(id, found)
    } catch (error) {
      ledger.skip(id, untriedReason(error))
    }
  }
}

function untriedReason (error: unknown): string {
  if (error instanceof Limited) return 'limited: the service allows fewer requests; try a lower --rate'
  if (error instanceof Untried) return error.message
  throw error
}

/** Returns why there is nothing to judge in a list. */
function reasonOf ({ access }: Resource, own: Collected): string | undefined {
  const { form, response } = own.get('plain') as Series
  if (access === 'token' && [401, 403].includes(response.status)) return 'needs a token that is accepted'
  return form === 'array' || form === 'page' ? undefined : 'needs a list'
}

/** Collects a list and relates its series; again if stated relations don't hold, as data may change between two responses. */
async function relate (session: Session, resource: Resource, lists: ReadonlyMap<ListKey, Collected>): Promise<Collected> {
  const { ledger } = session
  const rows = of(relations, resource).map(row => ({ ...row, check: checkOf(resource, row) })).filter(({ check }) => ledger.has(check.id))
  const first = await collect(session, resource)
  if (reasonOf(resource, first) !== undefined) return first
  const judge = (own: Collected, earlier?: Collected) =>
    rows.map(({ relate }) => relate({ resource, own, earlier, lists, context: session }))
  const before = judge(first)
  const hasFound = (index: number) => typeof before[index] === 'object' && before[index].length > 0
  const isDoubtful = rows.some(({ check }, index) => hasFound(index) && isStated(check.source))
  const own = isDoubtful ? await collect({ ...session, ledger: createLedger([], session) }, resource) : first
  const results = isDoubtful ? judge(own, first) : before
  for (const [index, { check }] of rows.entries()) {
    const result = results[index] as readonly Found[] | string
    if (typeof result === 'string') ledger.skip(check.id, result)
    else ledger.add(check.id, hasFound(index) ? result : [])
  }
  return own
}

/** The most attempts in a row without a response. */
const maxSilent = 10

/** Asks again after a 5xx or a broken response, and returns a broken one as a response with status 0, whose body says why. */
function patient ({ send, signal }: Pick<Subject, 'send' | 'signal'>): Send {
  let silent = maxSilent // without any response, the first is too many
  const attempt: Send = async request => {
    try {
      const response = await send(request)
      silent = 0
      return response
    } catch (error) {
      const isBroken = error instanceof Unreachable && !(error instanceof Limited) && !signal.aborted
      if (!isBroken || ++silent > maxSilent) throw error
      return { request, status: 0, headers: {}, body: Buffer.from(error.message) }
    }
  }
  return async request => {
    const response = await attempt(request)
    return response.status === 0 || response.status >= 500 ? await attempt(request) : response
  }
}
