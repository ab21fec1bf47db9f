import { findFitnessName } from '../catalogue/schema-fields.ts'
import { Limited, Unreachable, type HttpRequest, type HttpResponse, type Send } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { keyOf, lastChoice, type Choice } from '../service/plan.ts'
import { isListed } from '../service/read.ts'
import {
  checkOf, createLedger, isStated, limitReason, RunEnded, stopReason, type Check, type Found, type Ledger, type Target
} from './check.ts'
import type { Property, SendRequest, Session } from './exchange.ts'
import { probes } from './probes.ts'
import { properties } from './properties.ts'
import { contentKey, plainestOf, relations, type Related, type Relation } from './relations.ts'
import { choicesBeforePairs, choicesWithPairs, plainOf, readSeries, tellingFirst } from './requests.ts'

const checkRows: readonly (Property | Relation)[] = [...properties, ...relations, ...probes]

/** A row with its check, and the key of its list. */
type CheckedRow = { row: Property | Relation, check: Check, key: string }

/** Returns the rows that concern a list, each with its check. */
function checkRowsOf (resource: Resource): CheckedRow[] {
  const own = checkRows.filter(({ of }) => of?.(resource) !== false)
  return own.map(row => ({ row, check: checkOf(resource, row), key: resource.key }))
}

const allRows = resources.flatMap(checkRowsOf)
const generalRows = allRows.filter(({ row }) => row.isGeneral)
const listRows = allRows.filter(({ row }) => !row.isGeneral)

/** Returns the checks of some lists, by default of all, in the order of a report. */
export function checksOf (lists?: readonly string[]): Check[] {
  const own = [...listRows, ...generalRows].filter(({ key }) => lists?.includes(key) !== false)
  return own.map(({ check }) => check)
}

export const checks: readonly Check[] = checksOf()

/** The server to check, and whether to send methods other than GET, HEAD and OPTIONS. */
export type Subject = Target & {
  send: Send
  signal: AbortSignal
  probeWrites: boolean
  /** The most requests, if that are fewer than all; the most telling are sent first. */
  maxRequests?: number | undefined
}

/** A list that is read and judged, with the rows of its checks. */
type Reader = {
  session: Session
  rows: CheckedRow[]
  /** False for a list that needs a token if there is none. */
  isReadable: boolean
  /** The first limit that kept a request of the list from being answered. */
  limit?: Limit
  /** Returns the number of responses that all lists have so far. */
  responses: () => number
}

/** An error of a limit, the reason in a report, and the number of responses that all lists had when it occurred. */
type Limit = { reason: string, error: Error, responses: number }

/**
 * Runs the checks of a ledger. Reads every list with one query at a time, then with pairs of queries, so that a limit
 * costs pairs only; then judges the relations. At the end, each list is read once more, as a cache may have kept
 * something else.
 */
export async function runChecks (subject: Subject, ledger: Ledger): Promise<void> {
  const { maxRequests } = subject
  const counter = { requests: 0 }
  const patientSubject = { ...subject, send: patient(subject, counter) }
  const readers: Reader[] = []
  const responses = () => readers.reduce((sum, { session }) => sum + session.readings.size, 0)
  for (const resource of resources) {
    const rows = checkRowsOf(resource).filter(({ check }) => ledger.has(check.id))
    if (rows.length === 0) continue
    const session = createSession(resource, patientSubject, ledger, bikesIn(readers))
    const isReadable = resource.access === 'public' || subject.token !== undefined
    const reader: Reader = { session, rows, isReadable, responses }
    readers.push(reader)
    if (isReadable) await readChoices(reader, maxRequests === undefined ? choicesBeforePairs(session) : [{}])
  }
  // The rest is for checks that send requests of their own.
  if (maxRequests !== undefined) await readInTurn(readers, () => counter.requests < 0.75 * maxRequests)
  else for (const reader of readers) await readChoices(reader, choicesWithPairs(reader.session))
  const listsByContent = new Map<string, Resource>()
  for (const reader of readers) {
    await judgeRelations(reader, readers, listsByContent, subject)
    const { session } = reader
    const content = contentKey(session)
    if (!listsByContent.has(content)) listsByContent.set(content, session.resource)
  }
  for (const reader of readers) if (reader.session.seriesByChoice.size > 1) await readChoices(reader, [lastChoice])
  judgeUnread(readers, ledger)
}

/** Reads a choice of each list in turn, until each has had all of them or no requests are left. */
async function readInTurn (readers: readonly Reader[], areLeft: () => boolean): Promise<void> {
  const readable = readers.filter(({ isReadable }) => isReadable)
  let waiting = readable.map(reader => ({ reader, choices: tellingFirst(reader.session) }))
  while (waiting.length > 0) {
    const left: typeof waiting = []
    for (const turn of waiting) {
      const { value, done } = turn.choices.next()
      if (done === true || !areLeft()) continue
      await readChoices(turn.reader, [value])
      left.push(turn)
    }
    waiting = left
  }
}

/** Requests the choices of a list. A limit of the service costs one request; the limit of the run ends the list. */
async function readChoices (reader: Reader, choices: Iterable<Choice>): Promise<void> {
  const { session } = reader
  const { seriesByChoice } = session
  if (reader.limit?.error instanceof RunEnded) return
  await skipIfLimited(reader, reader.rows, async () => {
    for (const choice of choices) {
      if (seriesByChoice.has(keyOf(choice))) continue
      await readSeries(session, choice).catch((error: unknown) => noteLimit(reader, error, seriesByChoice.size > 0))
    }
  })
}

/**
 * Keeps the limit of the service that one request met.
 * @throws {Error} for a list without any response so far, the limit of the run, and an error that is no limit
 */
function noteLimit (reader: Reader, error: unknown, isRead: boolean): void {
  const reason = limitReason(error)
  if (!isRead || reason === undefined || error instanceof RunEnded) throw error
  reader.limit ??= { reason, error: error as Error, responses: reader.responses() }
}

/** Takes a step. If the list has met a limit by then, skips these checks, as they may lack responses. */
async function skipIfLimited (
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
  const requestPath: SendRequest = (target, headers = {}, method = 'GET') => send({ method, target, headers })
  const requestList: SendRequest = (query, headers, method) =>
    requestPath(path + query, { ...credentials, ...headers }, method)
  const hasBikes = ['featured', 'bikesV2'].includes(resource.key)
  return {
    resource, base, token, path, requestPath, requestList, ledger,
    sample: new Map(hasBikes ? bikes?.sample : []),
    fitness: bikes && findFitnessName([...bikes.sample.values()]),
    facts: { pages: [], isWhole: false, pageSize: 0, record: undefined },
    readings: new Map(),
    seriesByChoice: new Map()
  }
}

/** Why no response was judged against a property, by its kind. */
const lackingResponse: Readonly<Partial<Record<Property['kind'], string>>> = {
  page: 'needs a list in pages',
  linked: 'needs a second page',
  later: 'needs a second page'
}

const noList = 'needs a list'

const leftOut = (maxRequests: number) => `left out by --max-requests ${maxRequests}`

/** Returns the list of bikes that other lists are compared with. */
const bikesIn = (readers: readonly Reader[]) => readers.find(({ session }) => session.resource.key === 'bikes')?.session

/** Judges the relations of a list that was read, and skips each property that none of its responses concerned. */
async function judgeRelations (
  reader: Reader, readers: readonly Reader[], listsByContent: Related['listsByContent'],
  { probeWrites, maxRequests }: Subject
): Promise<void> {
  const { session, rows, isReadable } = reader
  const { ledger } = session
  const plain = plainOf(session)
  const related: Related = { ...session, plain, listsByContent, bikes: bikesIn(readers) }
  const unjudgeable = isReadable ? whyUnjudgeable(session.resource, plain) : 'needs --token'
  for (const { row, check } of rows) {
    if ('kind' in row) {
      // Every response was judged when it was read; only a property that none of them concerns is skipped.
      const lacking = maxRequests === undefined ? lackingResponse[row.kind] ?? noList : leftOut(maxRequests)
      ledger.skip(check.id, unjudgeable ?? lacking)
      continue
    }
    const reason = row.needs === undefined || probeWrites ? unjudgeable : `needs --${row.needs}`
    // General relations send requests of their own, so a list that lacks the token or records is enough.
    const isJudged = reason === undefined || (row.isGeneral && reason !== noList)
    if (isJudged) await skipIfLimited(reader, [{ check }], () => judgeRelation(related, row, check))
    else ledger.skip(check.id, reason)
  }
}

/** Judges a relation. If a stated one doesn't hold, judges new responses: data may change between two of them. */
async function judgeRelation (related: Related, row: Relation, { id, source }: Check): Promise<void> {
  const { ledger } = related
  const verdict = await row.relate(related)
  if (typeof verdict === 'string') return ledger.skip(id, verdict)
  const isFinal = row.isFinal === true || !isStated(source)
  const isDoubted = verdict.length > 0 && !isFinal
  ledger.add(id, isDoubted ? await judgeAgain(related, row, verdict) : verdict)
}

/** Judges new responses. Returns the new verdict; the first one as warnings if nothing is found. */
async function judgeAgain (related: Related, row: Relation, verdict: readonly Found[]): Promise<readonly Found[]> {
  const ledger = createLedger([], related)
  const session: Session = { ...related, seriesByChoice: new Map(), readings: new Map(), ledger }
  for (const choice of choicesConcerned(related, verdict)) await readSeries(session, choice)
  const { seriesByChoice } = session
  const newVerdict = await row.relate({ ...related, seriesByChoice, plain: plainOf(session) })
  const stands = typeof newVerdict !== 'string' && newVerdict.length > 0
  return stands ? newVerdict : verdict.map(asDoubtful)
}

/**
 * Returns the requests that a verdict is about, with those that their responses are compared with: the whole list, the
 * same queries in their plainest form, and all of the same orderings.
 */
function choicesConcerned ({ seriesByChoice }: Related, verdict: readonly Found[]): Choice[] {
  const targets = new Set(verdict.map(({ request }) => request?.target))
  const all = [...seriesByChoice.values()]
  const wrongSeries = all.filter(({ first }) => targets.has(first.request.target))
  const wrong = wrongSeries.map(({ choice }) => choice)
  const compared = [{}, { page: '1' }, ...wrong.map(plainestOf)].map(keyOf)
  const orderings = wrong.map(({ ordering }) => ordering)
  const isConcerned = (choice: Choice) => {
    const isOrdered = 'ordering' in choice && orderings.includes(choice.ordering)
    return isOrdered || wrong.includes(choice) || compared.includes(keyOf(choice))
  }
  return all.map(({ choice }) => choice).filter(isConcerned)
}

function asDoubtful (found: Found): Found {
  return { ...found, got: `${found.got}, in 1 of 2 readings`, isDoubtful: true }
}

/** Returns why the relations of a list can't be judged, by the response to its plain request; undefined if they can. */
function whyUnjudgeable ({ access }: Resource, plain: Related['plain'] | undefined): string | undefined {
  if (plain === undefined) return noList
  const { status, form } = plain.first
  if (access === 'token' && [401, 403].includes(status)) return 'needs a token that is accepted'
  if (form === 'document') return 'needs a list of records'
  return isListed(plain.first) ? undefined : noList
}

/** The most attempts in a row that may fail without a response. */
const maxFailuresInRow = 10

/** The most attempts for a request to which a gateway responds with an error. */
const maxAttempts = 3

const isOfGateway = (status: number) => status === 429 || (status >= 502 && status <= 504)

/**
 * Returns a client that retries after a gateway's error or a broken response. A response that stays broken has
 * status 0, and its body says why.
 * @throws {Unreachable} if the first attempt of a run fails, or more than ten in a row
 * @throws {Limited} if a gateway responds with an error three times
 * @throws {RunEnded} when the run is stopped
 */
function patient ({ send, signal, maxRequests = Infinity }: Subject, counter: { requests: number }): Send {
  let failuresInRow = maxFailuresInRow // until the service has responded once, the first failure is too many
  return async function sendPatiently (request: HttpRequest, attempt = 1): Promise<HttpResponse> {
    if (signal.aborted) throw new RunEnded(stopReason)
    if (counter.requests++ >= maxRequests) throw new RunEnded(leftOut(maxRequests))
    const response = await send(request).catch((error: unknown): HttpResponse => {
      if (signal.aborted) throw new RunEnded(stopReason)
      const isBroken = error instanceof Unreachable && !(error instanceof Limited)
      if (!isBroken || ++failuresInRow > maxFailuresInRow) throw error
      return { request, status: 0, headers: {}, body: Buffer.from(error.message) }
    })
    const { status } = response
    if (status === 0) return attempt > 1 ? response : await sendPatiently(request, attempt + 1)
    failuresInRow = 0
    if (!isOfGateway(status)) return response
    if (attempt === maxAttempts) throw new Limited(`${status}, ${maxAttempts} times`)
    return await sendPatiently(request, attempt + 1)
  }
}
