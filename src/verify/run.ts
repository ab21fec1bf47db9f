import { findFitnessName } from '../catalogue/schema-fields.ts'
import { Limited, type Send } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { keyOf, lastChoice, queryOf, type Choice } from '../service/plan.ts'
import { isListed } from '../service/read.ts'
import {
  checkOf, createLedger, difference, limitReason, tokensOf, validToken, withTokens, type Check, type CheckRow,
  type Ledger, type Target
} from './check.ts'
import { plainOf, wholeOf, type Property, type SendRequest, type Series, type Session } from './exchange.ts'
import { expectations, judgeReadings } from './expected.ts'
import { probes } from './probes.ts'
import { properties } from './properties.ts'
import { referenceRelation } from './references.ts'
import { relations, noPages, unreadPages, type Relation } from './relations.ts'
import { choicesOf, factsOf, readSeries } from './requests.ts'

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

/** Rows that concern no single list are last. */
const allRows = resources.flatMap(checkRowsOf)
  .sort((one, other) => Number(one.row.isGeneral ?? false) - Number(other.row.isGeneral ?? false))

/** Returns the checks of some lists, by default of all, in the order of a report. */
export function checksOf (lists?: readonly string[]): Check[] {
  const own = allRows.filter(({ key }) => lists?.includes(key) !== false)
  return own.map(({ check }) => check)
}

export const checks: readonly Check[] = checksOf()

/** The server to check, and whether to send methods other than GET, HEAD and OPTIONS. */
export type Subject = Target & {
  send: Send
  probeWrites: boolean
  /** The most requests, if fewer than all; the most telling are sent first. */
  maxRequests?: number | undefined
}

/** A list that is read and judged, with the rows of its checks. */
type Reader = Session & {
  rows: CheckedRow[]
  /** The requests that are left. */
  choices: Iterator<Choice, undefined>
  /** The first limit that kept a request of the list from being answered. */
  limit?: Error
}

/**
 * Runs the checks of a ledger. Reads the lists in turn, pairs of queries last, so that a limit costs pairs only. Then
 * judges the relations, reads each list once more, as a cache may have kept something else, and judges all responses.
 */
export async function runChecks (subject: Subject, ledger: Ledger): Promise<void> {
  const { maxRequests = Infinity } = subject
  const tokens = tokensOf(subject.token)
  let requests = 0
  const send: Send = async request => {
    requests++
    const response = await subject.send(withTokens(request, tokens))
    return { ...response, request }
  }
  const readers: Reader[] = []
  for (const resource of resources) {
    const rows = checkRowsOf(resource).filter(({ check }) => ledger.has(check.id))
    if (rows.length === 0) continue
    const session = createSession(resource, { ...subject, send }, ledger, readers)
    const reader: Reader = Object.assign(session, { rows, choices: choicesOf(session) })
    readers.push(reader)
    await readNext(reader)
  }
  const waiting = [...readers]
  // The rest is for checks that send requests of their own.
  const most = 0.75 * maxRequests
  for (const reader of waiting) if (requests < most && await readNext(reader)) waiting.push(reader)
  for (const reader of readers) await judgeRelations(reader, readers, subject)
  for (const reader of readers) await judgeList(reader, subject)
  // Second requests are sent after the first ones of all lists, so what they get is no limit of the service.
  if (!readers.some(({ seriesByChoice }) => seriesByChoice.size > 1)) return
  for (const { resource, path, readings, limit } of readers) {
    if (readings.size > 0 || !(limit instanceof Limited)) continue
    const request = { method: 'GET', target: path, headers: {} }
    ledger.add(`${resource.key}/status`, difference('200 with an array or a page', limit.message), request)
  }
}

/** Reads the next choice of a list, unless it was read as part of another; returns whether there was one. */
async function readNext (reader: Reader): Promise<boolean> {
  const { value } = reader.choices.next()
  if (value === undefined) return false
  if (!reader.seriesByChoice.has(keyOf(value))) await tryStep(reader, reader.rows, () => readSeries(reader, value))
  return true
}

/** Takes a step. If it meets a limit, skips these checks, as they lack responses. */
async function tryStep (
  reader: Reader, rows: readonly Pick<CheckedRow, 'check'>[], step: () => Promise<unknown>
): Promise<void> {
  try {
    await step()
  } catch (error) {
    const reason = limitReason(error)
    if (reason === undefined) throw error
    reader.limit ??= error as Error
    for (const { check } of rows) reader.ledger.skip(check.id, reason)
  }
}

function createSession (
  resource: Resource, { base, token, send }: Subject, ledger: Ledger, readers: readonly Reader[]
): Session {
  const path = base.pathname.replace(/\/$/, '') + resource.path
  const credentials = resource.access === 'token' && token !== undefined ? { authorization: validToken } : {}
  const requestPath: SendRequest = (target, headers = {}, method = 'GET') => send({ method, target, headers })
  const requestList: SendRequest = (query, headers, method) =>
    requestPath(path + query, { ...credentials, ...headers }, method)
  const bikes = readers.find(({ resource }) => resource.key === 'bikes')?.sample
  return {
    resource, base, token, path, requestPath, requestList, ledger,
    sample: new Map(['featured', 'bikesV2'].includes(resource.key) ? bikes : []),
    fitness: bikes && findFitnessName([...bikes.values()]),
    facts: { pages: [], isWhole: false, pageSize: 0, record: undefined },
    readings: new Map(),
    seriesByChoice: new Map(),
    failures: [],
    changing: new Set()
  }
}

/** Judges the relations of a list; then reads it once more. */
async function judgeRelations (reader: Reader, readers: readonly Reader[], { probeWrites }: Subject): Promise<void> {
  const { rows, ledger, seriesByChoice } = reader
  const plain = plainOf(reader) as Series
  const sessions = new Map(readers.map(reader => [reader.resource.key, reader]))
  const unjudgeable = whyUnjudgeable(reader)
  for (const { row, check } of rows) {
    if (!('relate' in row)) continue
    // General relations send requests of their own, so a list that lacks the token or records is enough.
    if (unjudgeable !== undefined && (!row.isGeneral || unjudgeable === noList)) {
      ledger.skip(check.id, unjudgeable)
      continue
    }
    await tryStep(reader, [{ check }], async () => {
      const verdict = await row.relate({ ...reader, plain, sessions, probeWrites })
      if (typeof verdict === 'string') ledger.skip(check.id, verdict)
      else ledger.add(check.id, verdict)
    })
  }
  if (seriesByChoice.size > 1) await tryStep(reader, rows, () => readSeries(reader, lastChoice))
}

const noList = 'needs a list'

/** Returns why the relations of a list can't be judged, by the response to its plain request; undefined if they can. */
function whyUnjudgeable (session: Session): string | undefined {
  const { resource: { access }, token } = session
  const first = plainOf(session)?.first
  if (access === 'token' && token === undefined) return 'needs --token'
  if (first === undefined) return noList
  if (access === 'token' && [401, 403].includes(first.status)) return 'needs a token that is accepted'
  if (first.form === 'document') return 'needs a list of records'
  return isListed(first) ? undefined : noList
}

/**
 * Judges the responses of a list, and skips each check that none of them concerned. If one fails, reads its series
 * again: data may change between two responses.
 */
async function judgeList (reader: Reader, { maxRequests }: Subject): Promise<void> {
  const { rows, ledger, failures } = reader
  judgeReadings(reader)
  if (failures.length > 0) await tryStep(reader, [], () => readAgain(reader))
  for (const { row, check } of rows) {
    const lacking = wholeOf(reader) === undefined ? unreadPages : row.lacks ?? noPages
    const reason = maxRequests === undefined ? lacking : leftOut(maxRequests)
    ledger.skip(check.id, whyUnjudgeable(reader) ?? reason)
  }
}

export const leftOut = (maxRequests: number) => `left out by --max-requests ${maxRequests}`

/**
 * Reads the plain list and the series with a failure again. What this second reading does not show is a warning; of
 * headers, what it does not show each time.
 */
async function readAgain (reader: Reader): Promise<void> {
  const { failures, seriesByChoice, ledger, rows } = reader
  // Pages may have been deleted since.
  const isKept = ({ choice, first }: Series) => isListed(first) && queryOf(choice) !== '' && choice.page === undefined
  const again: Session = {
    ...reader,
    ledger: createLedger(rows.map(({ check }) => check), reader),
    readings: new Map(),
    seriesByChoice: new Map([...seriesByChoice].filter(([, series]) => isKept(series))),
    failures: []
  }
  await readSeries(again, {})
  await readSeries(again, { page: '1' })
  again.facts = factsOf(again)
  const wrong = new Map(failures.map(({ reading: { series } }) => [keyOf(series), series]))
  for (const series of wrong.values()) await readSeries(again, series)
  judgeReadings(again)
  for (const { check: { id }, row } of rows) {
    const shown = again.failures.filter(failure => failure.id === id).map(({ reading }) => reading.key)
    const readAgain = failures.filter(({ id: own, reading }) => own === id && again.readings.has(reading.key))
    const isShown = 'isOfHeaders' in row
      ? readAgain.every(({ reading }) => shown.includes(reading.key))
      : shown.length > 0
    if (!isShown) ledger.doubt(id)
  }
}
