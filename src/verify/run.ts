import { findFitnessName } from '../catalogue/schema-fields.ts'
import { Limited, type Send } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { keyOf, lastChoice, queryOf, type Choice } from '../service/plan.ts'
import { isListed } from '../service/read.ts'
import {
  checkOf, createLedger, limitReason, RunEnded, type Check, type CheckRow, type Ledger, type Target
} from './check.ts'
import type { Property, SendRequest, Series, Session } from './exchange.ts'
import { expectations, judgeReadings, wholeOf } from './expected.ts'
import { probes } from './probes.ts'
import { properties } from './properties.ts'
import { referenceRelation } from './references.ts'
import { contentKey, relations, unreadPages, type Related, type Relation } from './relations.ts'
import { choicesBeforePairs, choicesWithPairs, factsOf, plainOf, readSeries, tellingFirst } from './requests.ts'

const checkRows: readonly (CheckRow | Property | Relation)[] = [
  ...properties, ...expectations, ...relations, referenceRelation, ...probes
]

/** A row with its check, and the key of its list. */
type CheckedRow = { row: CheckRow | Property | Relation, check: Check, key: string }

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
 * costs pairs only. Then judges the relations, reads each list once more, as a cache may have kept something else, and
 * judges all responses.
 */
export async function runChecks (subject: Subject, ledger: Ledger): Promise<void> {
  const { maxRequests } = subject
  let requests = 0
  const send: Send = request => {
    requests++
    return subject.send(request)
  }
  const readers: Reader[] = []
  const responses = () => readers.reduce((sum, { session }) => sum + session.readings.size, 0)
  for (const resource of resources) {
    const rows = checkRowsOf(resource).filter(({ check }) => ledger.has(check.id))
    if (rows.length === 0) continue
    const session = createSession(resource, { ...subject, send }, ledger, bikesIn(readers))
    const isReadable = resource.access === 'public' || subject.token !== undefined
    const reader: Reader = { session, rows, isReadable, responses }
    readers.push(reader)
    if (isReadable) await readChoices(reader, maxRequests === undefined ? choicesBeforePairs(session) : [{}])
  }
  // The rest is for checks that send requests of their own.
  if (maxRequests !== undefined) await readInTurn(readers, () => requests < 0.75 * maxRequests)
  else for (const reader of readers) await readChoices(reader, choicesWithPairs(reader.session))
  const listsByContent = new Map<string, Resource>()
  for (const reader of readers) {
    await judgeRelations(reader, readers, listsByContent, subject)
    const { session } = reader
    const content = contentKey(session)
    if (!listsByContent.has(content)) listsByContent.set(content, session.resource)
  }
  for (const reader of readers) if (reader.session.seriesByChoice.size > 1) await readChoices(reader, [lastChoice])
  for (const reader of readers) await judgeList(reader, maxRequests)
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
    seriesByChoice: new Map(),
    failures: [],
    orders: new Map(),
    changing: new Set()
  }
}

/**
 * Judges the responses of a list, and skips each check that none of them concerned. If one fails, reads its series
 * again: data may change between two responses.
 */
async function judgeList (reader: Reader, maxRequests: number | undefined): Promise<void> {
  const { session, rows, isReadable } = reader
  const plain = plainOf(session)
  if (plain !== undefined && isListed(plain.first)) judgeReadings(session, plain.first)
  if (session.failures.length > 0) await skipIfLimited(reader, [], () => readAgain(reader))
  const unjudgeable = isReadable ? whyUnjudgeable(session.resource, plain) : 'needs --token'
  for (const { row, check } of rows) {
    if ('relate' in row) continue
    const lacking = wholeOf(session) === undefined ? unreadPages : row.lacks ?? noList
    session.ledger.skip(check.id, unjudgeable ?? (maxRequests === undefined ? lacking : leftOut(maxRequests)))
  }
}

/**
 * Reads the plain list and the series with a failure again. What this second reading does not show is a warning; of
 * headers, what it does not show each time.
 */
async function readAgain ({ session, rows }: Reader): Promise<void> {
  const { failures, seriesByChoice, ledger } = session
  // Pages may have been deleted since.
  const isKept = ({ choice, first }: Series) => isListed(first) && queryOf(choice) !== '' && choice.page === undefined
  const others = [...seriesByChoice].filter(([, series]) => isKept(series))
  const again: Session = {
    ...session,
    ledger: createLedger(rows.map(({ check }) => check), session),
    readings: new Map(), seriesByChoice: new Map(others), failures: []
  }
  const plain = await readSeries(again, {})
  if (isListed(plain.first)) {
    await readSeries(again, { page: '1' })
    again.facts = factsOf(again)
  }
  const wrong = new Map(failures.map(({ series }) => [keyOf(series), series]))
  for (const series of wrong.values()) await readSeries(again, series)
  if (isListed(plain.first)) judgeReadings(again, plain.first)
  for (const { check: { id }, row } of rows) {
    const isSameAgain = (key: string) => again.failures.some(failure => failure.id === id && failure.key === key)
    const readAgain = failures.filter(failure => failure.id === id && again.readings.has(failure.key))
    const isShown = 'isOfHeaders' in row
      ? readAgain.every(({ key }) => isSameAgain(key))
      : again.failures.some(failure => failure.id === id)
    if (!isShown) ledger.doubt(id)
  }
}

const noList = 'needs a list'

export const leftOut = (maxRequests: number) => `left out by --max-requests ${maxRequests}`

/** Returns the list of bikes that other lists are compared with. */
const bikesIn = (readers: readonly Reader[]) => readers.find(({ session }) => session.resource.key === 'bikes')?.session

/** Judges the relations of a list that was read. */
async function judgeRelations (
  reader: Reader, readers: readonly Reader[], listsByContent: Related['listsByContent'],
  { probeWrites }: Subject
): Promise<void> {
  const { session, rows, isReadable } = reader
  const { ledger } = session
  const plain = plainOf(session)
  const sessions = new Map(readers.map(({ session }) => [session.resource.key, session]))
  const unjudgeable = isReadable ? whyUnjudgeable(session.resource, plain) : 'needs --token'
  for (const { row, check } of rows) {
    if (!('relate' in row)) continue
    const reason = row.needs === undefined || probeWrites ? unjudgeable : `needs --${row.needs}`
    // General relations send requests of their own, so a list that lacks the token or records is enough.
    const isJudged = reason === undefined || (row.isGeneral && reason !== noList)
    if (!isJudged) {
      ledger.skip(check.id, reason)
      continue
    }
    const bikes = sessions.get('bikes')
    const related: Related = { ...session, plain: plain as Series, sessions, listsByContent, bikes }
    await skipIfLimited(reader, [{ check }], async () => {
      const verdict = await row.relate(related)
      if (typeof verdict === 'string') ledger.skip(check.id, verdict)
      else ledger.add(check.id, verdict)
    })
  }
}

/** Returns why the relations of a list can't be judged, by the response to its plain request; undefined if they can. */
function whyUnjudgeable ({ access }: Resource, plain: Related['plain'] | undefined): string | undefined {
  if (plain === undefined) return noList
  const { status, form } = plain.first
  if (access === 'token' && [401, 403].includes(status)) return 'needs a token that is accepted'
  if (form === 'document') return 'needs a list of records'
  return isListed(plain.first) ? undefined : noList
}
