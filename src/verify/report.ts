import { stripVTControlCharacters } from 'node:util'
import { groupBy } from '../catalogue/group.ts'
import { painter, printable, short } from '../http/text.ts'
import { name } from '../package.ts'
import { resources } from '../lists/resources.ts'
import { hang, textWidth, wrapCommand } from '../settings/terminal.ts'
import type { Finding, Result } from './check.ts'
import type { Difference } from './compare.ts'

type Report = {
  url: string
  /** Requests sent, each once however many checks need it. */
  requests: number
  results: readonly Result[]
  differences: readonly Difference[] | undefined
  /** Remarks are failures, too. */
  failsOnRemarks: boolean
}

/** The width of a terminal; lines are not wrapped for anything else. */
export type Reporter = (report: Report, hasColours: boolean, columns?: number) => string

export function summaryOf (results: readonly Result[]) {
  const failed = results.filter(({ ok }) => !ok).length
  const skipped = results.filter(({ skipped }) => skipped !== undefined).length
  const remarks = results.flatMap(({ remarks }) => remarks).length
  return { passed: results.length - failed - skipped, failed, skipped, remarks }
}

const paint = painter(true)

/** Findings that one or several checks have in common. */
export type Told = Pick<Result, 'id' | 'claim' | 'source'> & { findings: Finding[], others?: [label: 'lists' | 'also', names: string] }

/** Returns the findings of all checks; those that several checks share are told once. */
export function tellOnce (results: readonly Result[], kind: 'failures' | 'remarks'): Told[] {
  const found = results.flatMap(result => result[kind].map(finding => ({ result, finding })))
  const shared = [...groupBy(found, keyOf).values()]
    .map(same => ({ finding: same[0].finding, of: [...new Set(same.map(({ result }) => result))] }))
  return [...groupBy(shared, ({ of }) => of.map(({ id }) => id).join()).values()].map(together => {
    const [{ of }] = together
    const source = [...new Set(of.flatMap(({ source }) => source.split(', ')))].join(', ')
    return { ...headOf(of), source, findings: together.map(({ finding }) => finding) }
  })
}

const isOfList = (id: string) => resources.some(({ key }) => id.startsWith(`${key}/`))
const nameOf = (id: string) => id.replace(/^\w+\//, '')
const groupOf = (id: string) => id.split('/')[0] as string

/** Returns what equal findings have in common; those of lists differ in paths and examples. */
function keyOf ({ result: { id, claim }, finding: { expected, got } }: { result: Result, finding: Finding }): string {
  if (!isOfList(id)) return JSON.stringify([groupOf(id), expected, got])
  const [path = ''] = claim.split(' ', 1)
  return JSON.stringify([groupOf(nameOf(id)), expected.replaceAll(path, ''), /^(?:\d{3}\b|\w+ in )/.exec(got)?.[0]])
}

/** Names what checks have in common: one check of several lists, or several checks by the first of them. */
function headOf (of: readonly Result[]): Pick<Told, 'id' | 'claim' | 'others'> {
  const [{ id, claim }, ...others] = of as [Result, ...Result[]]
  const name = nameOf(id)
  if (others.length === 0) return { id, claim }
  if (others.some(other => nameOf(other.id) !== name)) return { id, claim, others: ['also', others.map(({ id }) => id).join(', ')] }
  return { id: name, claim: claim.replace(/^\S+ /, ''), others: ['lists', of.map(({ id }) => groupOf(id)).join(', ')] }
}

/** Returns the first thing to know about a wrong address. */
function noListLines (url: string, results: readonly Result[]): string[] {
  const statuses = results.filter(({ id, skipped }) => isOfList(id) && nameOf(id) === 'status' && skipped === undefined)
  if (statuses.length < 9 || statuses.some(({ ok }) => ok)) return []
  const got = printable(String(statuses[0]?.failures[0]?.got))
  return ['', `no list found below ${url}: ${got}`, 'Does the URL lack a path, or have one too many?']
}

/** For people: a line for each group of checks, the failures and remarks, and the sums. */
export const human: Reporter = ({ url, requests, results, differences, failsOnRemarks }, hasColours, columns = Infinity) => {
  const width = textWidth(columns, Infinity) - 4
  const { passed, failed, skipped, remarks } = summaryOf(results)
  const head = (mark: string, { claim, id, others: [label, names] = ['lists', ''] }: Told) => [
    ...hang(`${mark} `, [...claim.split(' ').map(word => paint('bold', word)), paint('dim', id)], width),
    ...names === '' ? [] : beside(`${label}:`, names, width)
  ]
  const text = [
    `${paint('bold', `${name} verify`)} ${url}`,
    ...noListLines(url, results),
    '',
    ...groupLines(results),
    ...section('Failed', tellOnce(results, 'failures'), told => [
      ...head(paint('red', '✗'), told),
      ...beside('source:', `contract ${told.source}`, width),
      ...told.findings.flatMap(finding => findingLines(finding, width))
    ]),
    ...section('Remarks: the contract leaves this open', tellOnce(results, 'remarks'), told => [
      ...head(paint('yellow', '!'), told),
      ...told.findings.flatMap(({ expected, got }) => hang('  ', printable(`ours: ${expected}; here: ${got}`).split(' '), width))
    ]),
    ...section('Skipped', skipped === 0 ? [] : [results], reasonLines),
    ...section('Compared with our records', differences ?? [], differenceLines),
    ...differences?.length === 0 ? ['', 'Every record is the same as ours.'] : [],
    '',
    `${paint('green', `${passed} passed`)}, ${paint(failed === 0 ? 'dim' : 'red', `${failed} failed`)}, ` +
      `${remarks} ${remarks === 1 ? 'remark' : 'remarks'}` +
      `${failsOnRemarks && remarks > 0 ? ' (--fail-on remark)' : ''}, ${paint('dim', `${skipped} skipped`)}. ${requests} requests.`,
    ''
  ].join('\n')
  return hasColours ? text : stripVTControlCharacters(text)
}

function section<T> (title: string, items: readonly T[], lines: (item: T) => string[]): string[] {
  if (items.length === 0) return []
  return ['', paint('bold', title), ...items.flatMap(item => ['', ...lines(item).map(line => line && `  ${line}`)])]
}

/** Puts a text of a server beside its label, and wraps it there. */
const beside = (label: string, text: string, width: number) => hang(`  ${label.padEnd(10)}`, printable(text).split(' '), width)

function findingLines ({ request, expected, got, record }: Finding, width: number): string[] {
  return [
    '',
    ...wrapCommand(printable(request), width).map(line => `  ${paint('cyan', line)}`),
    ...beside('expected:', expected, width),
    ...beside('got:', got, width),
    ...record === undefined ? [] : beside('record:', short(JSON.stringify(record), 160), width).map(line => paint('dim', line))
  ]
}

/** Returns how many checks were skipped for each reason, the most frequent first. */
function reasonLines (results: readonly Result[]): string[] {
  const groups = groupBy(results.filter(({ skipped }) => skipped !== undefined), ({ skipped }) => skipped)
  return [...groups].sort(([, a], [, b]) => b.length - a.length).map(([reason, { length }]) => `${String(length).padStart(3)}  ${reason}`)
}

/** Returns a line for each group of checks, which have the part of their ids before the slash in common. */
function groupLines (results: readonly Result[]): string[] {
  return [...groupBy(results, ({ id }) => groupOf(id))].map(([group, own]) => {
    const { passed, failed, skipped, remarks } = summaryOf(own)
    const counts = [[passed, 'passed'], [failed, 'failed'], [remarks, remarks === 1 ? 'remark' : 'remarks'], [skipped, 'skipped']] as const
    const text = counts.filter(([count]) => count > 0).map(([count, word]) => `${String(count).padStart(3)} ${word}`).join(', ')
    const markOfPassed = passed > 0 ? paint('green', '✓') : paint('dim', '-')
    return `  ${failed > 0 ? paint('red', '✗') : markOfPassed} ${group.padEnd(14)}${text}`
  })
}

function differenceLines (difference: Difference): string[] {
  if ('unread' in difference) return [difference.list, `  not compared: ${difference.unread}`]
  const { list, missing, extra, changed } = difference
  return [
    list,
    ...missing.length === 0 ? [] : [`  missing: ${missing.join(', ')}`],
    ...extra.length === 0 ? [] : [`  extra: ${extra.join(', ')}`],
    ...changed.map(({ id, fields }) => `  ${id} differs in ${printable(short(fields.join(', '), 1000))}`)
  ]
}
