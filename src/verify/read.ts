import type { Resource } from '../lists/resources.ts'
import type { Answer, Asked } from './ask.ts'
import { Untried, type Check, type Probe } from './check.ts'

/** A record as a server sent it, of which nothing is known. */
export type Sent = Readonly<Record<string, unknown>>

/** A list as it was read: plain, or page by page where the server gives nothing else. */
export type List = { answer: Answer, isPlain: boolean, records: readonly Sent[] }

/** A page as it was sent, its fields not yet looked at. */
export type Envelope = { count: unknown, next: unknown, previous: unknown, results: readonly unknown[] }

/** More pages than this are no list of bicycles but a link that leads round. */
const maxPages = 1000

/** Bodies that were read already: many checks look at the same long list. */
const values = new WeakMap<Answer, { value: unknown }>()

/** The value of a JSON body, or undefined where it is none. */
export function jsonOf (answer: Answer): unknown {
  const read = values.get(answer) ?? { value: parse(answer.body.toString()) }
  values.set(answer, read)
  return read.value
}

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The detail of an error's body, or undefined. */
export function detailOf (answer: Answer): unknown {
  return (jsonOf(answer) as { detail?: unknown } | null | undefined)?.detail
}

export function isEnvelope (value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && Array.isArray((value as Partial<Envelope>).results)
}

function isRecord (value: unknown): value is Sent {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type RunOf = (probe: Probe, resource: Resource) => Promise<void>

/** Makes checks of one list: their ids begin with its key, their claims with its path. */
export function checkOf (resource: Resource): (id: string, claim: string, source: string, run: RunOf) => Check {
  const { key, path, access } = resource
  const needs = access === 'token' ? { needs: access } as const : {}
  return (id, claim, source, run) =>
    ({ id: `${key}/${id}`, claim: `${path} ${claim}`, source, run: probe => run(probe, resource), ...needs })
}

/** What a check of one list asks it with: credentials where the list wants them. */
export function get (probe: Probe, { path, access }: Resource, query = '', headers: Asked['headers'] = {}): Promise<Answer> {
  return probe.get(path + query, access === 'token' ? { ...headers, ...probe.credentials } : headers)
}

/**
 * Reads a whole list, following `next` where the server answers with pages. Only paths are followed, so that a token
 * goes to no other server.
 * @throws {Untried} where there is no list; without a query another check tells so, and with one this notes it
 */
export async function readList (probe: Probe, resource: Resource, query = ''): Promise<List> {
  const answer = await get(probe, resource, query)
  const value = answer.status === 200 ? jsonOf(answer) : undefined
  if (Array.isArray(value)) return { answer, isPlain: true, records: value.filter(isRecord) }
  if (!isEnvelope(value)) {
    if (query !== '') probe.must(answer, false, '200 with a list', answered(answer))
    throw new Untried(`needs a list, which ${resource.path} does not give`)
  }
  return { answer, isPlain: false, records: (await pagesFrom(probe, resource, value)).flatMap(({ results }) => results).filter(isRecord) }
}

/** A page and all that follow it by their `next`, as far as there are pages. */
export async function pagesFrom (probe: Probe, resource: Resource, first: Envelope): Promise<Envelope[]> {
  const pages = [first]
  while (pages.length < maxPages) {
    const link = pages.at(-1)?.next
    if (typeof link !== 'string' || !URL.canParse(link, probe.base.href)) return pages
    const { pathname, search } = new URL(link, probe.base)
    if (pathname !== probe.pathOf(resource.path)) return pages
    const page = jsonOf(await get(probe, resource, search))
    if (!isEnvelope(page)) return pages
    pages.push(page)
  }
  return pages
}

/** The name of a record in a report. */
export function named (record: Sent): string {
  return `the record ${String(record['id'])}`
}

/** A value for a report: short, on one line. */
export function shown (value: unknown): string {
  return short(JSON.stringify(value) ?? 'nothing')
}

/** The start of a body for a report, as it was sent, be it JSON or not: short, on one line. */
export function bodyOf ({ body }: Answer): string {
  return short(body.toString('utf8', 0, 500)) || 'no body'
}

/** The status and the start of the body for a report. */
export function answered (answer: Answer): string {
  return `${answer.status}, ${bodyOf(answer)}`
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A text without what would break its line or move the cursor: controls, formatting characters, other line ends. */
function short (text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, sign => escapes[sign] ?? `\\u{${sign.codePointAt(0)?.toString(16)}}`)
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
