import { findFitnessName } from '../catalogue/schema-fields.ts'
import { Limited, Unreachable, type HttpRequest, type HttpResponse, type Send } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { keyOf, type Choice } from '../service/plan.ts'
import { isListed } from '../service/read.ts'
import {
  checkOf, createLedger, isStated, limitReason, Untried, type Check, type Found, type Ledger, type Target
} from './check.ts'
import type { Property, Session } from './exchange.ts'
import { probes } from './probes.ts'
import { properties } from './properties.ts'
import { contentKey, relations, type Related, type Relation } from './relations.ts'
import { choicesAlone, pairsFor, plainOf, readSeries } from './requests.ts'

const checkRows: readonly (Property | Relation)[] = [...properties, ...relations, ...probes]

type CheckedRow = { row: Property | Relation, check: Check }

/** Returns the rows that concern a list, each with its check. */
function checkRowsOf (resource: Resource): CheckedRow[] {
  const own = checkRows.filter(({ of }) => of?.(resource) !== false)
  return own.map(row => ({ row, check: checkOf(resource, row) }))
}

const allRows = resources.flatMap(checkRowsOf)
const generalRows = allRows.filter(({ row }) => row.isGeneral)
const listRows = allRows.filter(({ row }) => !row.isGeneral)

/** Every check, in the order of a report. */
export const checks: readonly Check[] = [...listRows, ...generalRows].map(({ check }) => check)

/** The server to check, and whether to send methods other than GET, HEAD and OPTIONS. */
export type Subject = Target & { send: Send, signal: AbortSignal, probeWrites: boolean }

/** A list with its rows, and why it or a part of it was not read. */
type Reader = {
  session: Session
  rows: CheckedRow[]
  isReadable: boolean
  limit?: Limit
  /** Returns the number of responses that all lists have so far. */
  responses: () => number
}

type Limit = { reason: string, error: Error, responses: number }

/** Runs the checks of a ledger: first every query alone of every list, so that a limit costs pairs only. */
export async function runChecks (subject: Subject, ledger: Ledger): Promise<void> {
  const patientSubject = { ...subject, send: patient(subject) }
  const readers: Reader[] = []
  const responses = () => readers.reduce((sum, { session }) => sum + session.readings.size, 0)
  for (const resource of resources) {
    const rows = checkRowsOf(resource).filter(({ check }) => ledger.has(check.id))
    if (rows.length === 0) continue
    const session = createSession(resource, patientSubject, ledger, bikesIn(readers))
    const isReadable = resource.access === 'public' || subject.token !== undefined
    const reader: Reader = { session, rows, isReadable, responses }
    readers.push(reader)
    if (isReadable) await readChoices(reader, choicesAlone(session))
  }
  for (const reader of readers) await readChoices(reader, pairsFor(reader.session))
  const copies = new Map<string, Resource>()
  for (const reader of readers) {
    await judgeRelations(reader, readers, copies, subject)
    const { session } = reader
    if (!copies.has(contentKey(session))) copies.set(contentKey(session), session.resource)
  }
  judgeUnread(readers, ledger)
}

/** Requests the choices of a list. A limited request does not end it; the run's own limit does. */
async function readChoices (reader: Reader, choices: Iterable<Choice>): Promise<void> {
  const { session } = reader
  const { own } = session
  if (reader.limit?.error instanceof Untried) return
  await tried(reader, reader.rows, async () => {
    for (const choice of choices) {
      if (own.has(keyOf(choice))) continue
      await readSeries(session, choice).catch((error: unknown) => noteLimit(reader, error, own.size > 0))
    }
  })
}

/** Keeps the limit of one request of a list that responds to others. @throws {Error} for any other error */
function noteLimit (reader: Reader, error: unknown, isRead: boolean): void {
  const reason = limitReason(error)
  if (!isRead || reason === undefined || error instanceof Untried) throw error
  reader.limit ??= { reason, error: error as Error, responses: reader.responses() }
}

/** Takes a step, and skips its checks if the server or the run limits requests. */
async function tried (
  reader: Reader, rows: readonly Pick<CheckedRow, 'check'>[], step: () => Promise<void>
): Promise<void> {
  try {
    await step()
  } catch (error) {
    const reason = limitReason(error)
    if (reason === undefined) throw error
    reader.limit ??= { reason, error: error as Error, responses: reader.responses() }
  }
  if (reader.limit === undefined) return
  for (const { check } of rows) reader.session.ledger.skip(check.id, reader.limit.reason)
}

/** Adds a failure for each list that never responded, while others did afterwards: that is no limit of the service. */
function judgeUnread (readers: readonly Reader[], ledger: Ledger): void {
  for (const { session, limit, responses } of readers) {
    if (session.readings.size > 0 || !(limit?.error instanceof Limited)) continue
    const didOthersRespond = responses() > limit.responses
    const request = { method: 'GET', target: session.path, headers: {} }
    const failure = { expected: '200 with an array or a page', got: limit.error.message }
    if (didOthersRespond) ledger.add(`${session.resource.key}/status`, [failure], request)
  }
}

function createSession (
  resource: Resource, { base, token, send }: Subject, ledger: Ledger, bikes: Session | undefined
): Session {
  const path = base.pathname.replace(/\/$/, '') + resource.path
  const credentials: Record<string, string> = {}
  if (resource.access === 'token' && token !== undefined) credentials['authorization'] = `Token ${token}`
  const ask: Session['ask'] = (target, headers = {}, method = 'GET') => send({ method, target, headers })
  const get: Session['get'] = (query, headers, method) => ask(path + query, { ...credentials, ...headers }, method)
  const hasBikes = ['featured', 'bikesV2'].includes(resource.key)
  return {
    resource, base, token, path, ask, get, ledger,
    sample: new Map(hasBikes ? bikes?.sample : []),
    fitness: bikes && findFitnessName([...bikes.sample.values()]),
    facts: { pages: [], isWhole: false, pageSize: 0, record: undefined },
    readings: new Map(),
    own: new Map()
  }
}

/** Why a property was not judged, by its kind. */
const lacking: Readonly<Partial<Record<Property['kind'], string>>> = {
  page: 'needs a list in pages',
  linked: 'needs a second page',
  later: 'needs a second page'
}

const noList = 'needs a list'

/** Returns the list of bikes that other lists are compared with. */
const bikesIn = (readers: readonly Reader[]) => readers.find(({ session }) => session.resource.key === 'bikes')?.session

async function judgeRelations (
  reader: Reader, readers: readonly Reader[], copies: Related['copies'], { probeWrites }: Subject
): Promise<void> {
  const { session, rows, isReadable } = reader
  const plain = plainOf(session)
  const related: Related = { ...session, plain, copies, bikes: bikesIn(readers) }
  const reason = isReadable ? reasonOf(session.resource, plain) : 'needs --token'
  for (const { row, check } of rows) {
    if ('kind' in row) {
      session.ledger.skip(check.id, reason ?? lacking[row.kind] ?? noList)
      continue
    }
    const why = row.needs === undefined || probeWrites ? reason : `needs --${row.needs}`
    const isTried = why === undefined || (row.isGeneral && why !== noList)
    if (isTried) await tried(reader, [{ check }], () => relate(related, row, check))
    else session.ledger.skip(check.id, why)
  }
}

/** Judges a relation. If a stated one doesn't hold, judges new responses: data may change between two of them. */
async function relate (related: Related, row: Relation, { id, source }: Check): Promise<void> {
  const { ledger } = related
  const verdict = await row.relate(related)
  if (typeof verdict === 'string') return ledger.skip(id, verdict)
  const isFinal = row.isFinal === true || !isStated(source)
  const mayHold = verdict.length > 0 && !isFinal
  ledger.add(id, mayHold ? await judgeAgain(related, row, verdict) : verdict)
}

/** Reads the responses of a verdict again. Returns the new verdict; the first one as warnings if it does not stand. */
async function judgeAgain (related: Related, row: Relation, verdict: readonly Found[]): Promise<readonly Found[]> {
  const targets = new Set(verdict.map(({ request }) => request?.target))
  const bases = [keyOf({}), keyOf({ page: '1' })]
  const own = new Map(related.own)
  const ledger = createLedger([], related)
  const session: Session = { ...related, own, readings: new Map(), ledger }
  for (const [key, { choice, first }] of related.own) {
    const isConcerned = bases.includes(key) || targets.has(first.request.target)
    if (isConcerned) await readSeries(session, choice)
  }
  const plain = plainOf(session)
  const again = await row.relate({ ...related, own, plain })
  const stands = typeof again !== 'string' && again.length > 0
  return stands ? again : verdict.map(asDoubtful)
}

function asDoubtful (found: Found): Found {
  return { ...found, got: `${found.got}, in 1 of 2 readings`, isDoubtful: true }
}

/** Returns why there is nothing to judge in a list. */
function reasonOf ({ access }: Resource, plain: Related['plain'] | undefined): string | undefined {
  if (plain === undefined) return noList
  const { status, form } = plain.first
  if (access === 'token' && [401, 403].includes(status)) return 'needs a token that is accepted'
  if (form === 'document') return 'needs a list of records'
  return isListed(plain.first) ? undefined : noList
}

/** The most attempts in a row without a response. */
const maxSilent = 10

/** How often a request is sent for which a gateway responds. */
const maxAttempts = 3

const isOfGateway = (status: number) => status === 429 || (status >= 502 && status <= 504)

/**
 * Returns a client that retries after a gateway's error or a broken response. A response that stays broken has
 * status 0, and its body says why.
 */
function patient ({ send, signal }: Pick<Subject, 'send' | 'signal'>): Send {
  let silent = maxSilent // without any response, the first is too many
  return async function ask (request: HttpRequest, attempt = 1): Promise<HttpResponse> {
    const response = await send(request).catch((error: unknown): HttpResponse => {
      const isBroken = error instanceof Unreachable && !(error instanceof Limited) && !signal.aborted
      if (!isBroken || ++silent > maxSilent) throw error
      return { request, status: 0, headers: {}, body: Buffer.from(error.message) }
    })
    const { status } = response
    if (status === 0) return attempt > 1 ? response : await ask(request, attempt + 1)
    silent = 0
    if (!isOfGateway(status)) return response
    if (attempt === maxAttempts) throw new Limited(`${status}, ${maxAttempts} times`)
    return await ask(request, attempt + 1)
  }
}
