import { findFitnessName } from '../catalogue/schema-fields.ts'
import { Limited, Unreachable, type HttpRequest, type HttpResponse, type Send } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { checkOf, createLedger, isStated, limitOf, type Check, type Ledger, type Target } from './check.ts'
import { isListed, type Collected, type Property, type Series, type Session } from './exchange.ts'
import { probes } from './probes.ts'
import { properties } from './properties.ts'
import { relations, type Related, type Relation } from './relations.ts'
import { collect } from './requests.ts'

const rows: readonly (Property | Relation)[] = [...properties, ...relations, ...probes]

/** Returns the rows that concern a list, each with its check. */
const rowsOf = (resource: Resource) =>
  rows.filter(({ of }) => of?.(resource) !== false).map(row => ({ row, check: checkOf(resource, row) }))

/** Every check, in the order of a report. */
export const checks: readonly Check[] = resources.flatMap(rowsOf)
  .sort((one, other) => Number(one.row.isGeneral ?? false) - Number(other.row.isGeneral ?? false)).map(({ check }) => check)

/** The server to check, and whether to send methods other than GET, HEAD and OPTIONS. */
export type Subject = Target & { send: Send, signal: AbortSignal, probeWrites: boolean }

/** Why a property was not judged, by its kind. */
const lacking = { page: 'needs a list in pages', linked: 'needs a second page', later: 'needs a second page' }

/** Runs the checks of a ledger, list by list. @throws {Unreachable} for a server that does not respond */
export async function runChecks (subject: Subject, ledger: Ledger): Promise<void> {
  const send = patient(subject)
  let bikes: Related | undefined
  for (const resource of resources) {
    const all = rowsOf(resource).filter(({ check }) => ledger.has(check.id))
    const isReadable = resource.access === 'public' || subject.token !== undefined
    if (all.length === 0) continue
    const session = sessionOf(resource, subject, send, ledger, bikes)
    const own = isReadable ? await tried(all, () => collect(session)) : undefined
    const related = { ...session, ...seriesOf(own), bikes: bikes?.plain }
    if (resource.key === 'bikes') bikes = related
    const reason = isReadable ? reasonOf(resource, related.plain) : 'needs --token'
    for (const { row, check } of all) {
      const why = 'needs' in row && !subject.probeWrites ? `needs --${row.needs}` : reason
      const isTried = 'relate' in row && (why === undefined || (row.isGeneral && why !== noList))
      if (isTried) await tried([{ check }], () => relate(related, row, check))
      else ledger.skip(check.id, why ?? lacking[(row as Property).kind as keyof typeof lacking] ?? noList)
    }
  }

  /** Takes a step, and skips its checks if the server or the run limits requests. */
  async function tried<T> (rows: readonly { check: Check }[], step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step()
    } catch (error) {
      const reason = limitOf(error)
      if (reason === undefined) throw error
      for (const { check } of rows) ledger.skip(check.id, reason)
    }
  }
}

function sessionOf (resource: Resource, { base, token }: Target, send: Send, ledger: Ledger, bikes?: Related): Session {
  const path = base.pathname.replace(/\/$/, '') + resource.path
  const credentials = resource.access === 'token' && token !== undefined ? { authorization: `Token ${token}` } : {}
  const ask: Session['ask'] = (target, headers = {}, method = 'GET') => send({ method, target, headers })
  const get: Session['get'] = (query, headers, method) => ask(path + query, { ...credentials, ...headers }, method)
  const sample = new Map(['featured', 'bikesV2'].includes(resource.key) ? bikes?.sample : [])
  return { resource, base, token, path, ask, get, ledger, sample, fitness: bikes && findFitnessName([...bikes.sample.values()]) }
}

const seriesOf = (own: Collected = new Map()) => ({ own, plain: own.get('plain') as Series })

/** Judges a relation; if a stated one doesn't hold, again with new responses, as data may change between two of them. */
async function relate (related: Related & { again?: Collected }, row: Relation, { id, source }: Check): Promise<void> {
  const { ledger } = related
  const first = await row.relate(related)
  const isDoubtful = typeof first !== 'string' && first.length > 0 && isStated(source) && row.needs === undefined
  if (isDoubtful) related.again ??= await collect({ ...related, ledger: createLedger([], related) })
  const verdict = isDoubtful ? await row.relate({ ...related, ...seriesOf(related.again) }) : first
  if (typeof verdict === 'string') ledger.skip(id, verdict)
  else ledger.add(id, verdict)
}

const noList = 'needs a list'

/** Returns why there is nothing to judge in a list. */
function reasonOf ({ access }: Resource, plain?: Series): string | undefined {
  if (plain === undefined) return noList
  if (access === 'token' && [401, 403].includes(plain.status)) return 'needs a token that is accepted'
  if (plain.form === 'document') return 'needs a list of records'
  return isListed(plain) ? undefined : noList
}

/** The most attempts in a row without a response. */
const maxSilent = 10

/** Asks again after a 5xx or a broken response, and returns a broken one as a response with status 0, whose body says why. */
function patient ({ send, signal }: Pick<Subject, 'send' | 'signal'>): Send {
  let silent = maxSilent // without any response, the first is too many
  return async function ask (request: HttpRequest, isRepeated = false): Promise<HttpResponse> {
    const response = await send(request).catch((error: unknown): HttpResponse => {
      const isBroken = error instanceof Unreachable && !(error instanceof Limited) && !signal.aborted
      if (!isBroken || ++silent > maxSilent) throw error
      return { request, status: 0, headers: {}, body: Buffer.from(error.message) }
    })
    if (response.status !== 0) silent = 0
    const isGood = response.status !== 0 && response.status < 500
    return isGood || isRepeated ? response : ask(request, true)
  }
}
