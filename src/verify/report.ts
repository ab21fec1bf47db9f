import { stripVTControlCharacters, styleText } from 'node:util'
import { printable, short } from '../http/text.ts'
import { name } from '../package.ts'
import { resources } from '../lists/resources.ts'
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

export type Reporter = (report: Report, hasColours: boolean) => string

export function summaryOf (results: readonly Result[]) {
  const failed = results.filter(({ ok }) => !ok).length
  const skipped = results.filter(({ skipped }) => skipped !== undefined).length
  const remarks = results.flatMap(({ remarks }) => remarks).length
  return { passed: results.length - failed - skipped, failed, skipped, remarks }
}

const paint = (style: Parameters<typeof styleText>[0], text: string) => styleText(style, text, { validateStream: false })

/** Findings that a check of one or several lists has in common. */
export type Told = Pick<Result, 'id' | 'claim' | 'source'> & { lists: string[], findings: Finding[] }

/** Returns the findings of all checks, those that several lists share once with the keys of the lists. */
export function tellOnce (results: readonly Result[], kind: 'failures' | 'remarks'): Told[] {
  const shared = new Map<string, { finding: Finding, of: Result[] }>()
  for (const result of results) {
    const { id, claim } = result
    const path = claim.split(' ', 1)[0] as string
    for (const finding of result[kind]) {
      const { expected, got } = finding
      const key = isOfList(id) ? [nameOf(id), expected.replaceAll(path, ''), /^(?:\d{3}\b|\w+ in )/.exec(got)?.[0]] : [id, expected, got]
      const { of } = emplace(shared, JSON.stringify(key), { finding, of: [] })
      if (!of.includes(result)) of.push(result)
    }
  }
  const told = new Map<string, Told>()
  for (const { finding, of } of shared.values()) {
    const { id, claim } = of[0] as Result
    const lists = of.map(({ id }) => id.split('/')[0] as string)
    const source = [...new Set(of.flatMap(({ source }) => source.split(', ')))].join(', ')
    const own = of.length === 1 ? { id, claim } : { id: nameOf(id), claim: claim.replace(/^\S+ /, '') }
    const together = JSON.stringify([own.id, lists])
    emplace(told, together, { ...own, source, lists, findings: [] }).findings.push(finding)
  }
  return [...told.values()]
}

const isOfList = (id: string) => resources.some(({ key }) => id.startsWith(`${key}/`))
const nameOf = (id: string) => id.replace(/^\w+\//, '')

/** Returns the value of a key, which is set to `initial` where it has none. */
function emplace<V> (map: Map<string, V>, key: string, initial: V): V {
  const value = map.get(key) ?? initial
  map.set(key, value)
  return value
}

/** Returns the first thing to know about a wrong address. */
function noListLines (url: string, results: readonly Result[]): string[] {
  const statuses = results.filter(({ id, skipped }) => id.endsWith('/status') && skipped === undefined)
  if (statuses.length < 9 || statuses.some(({ ok }) => ok)) return []
  const got = printable(String(statuses[0]?.failures[0]?.got))
  return ['', `no list found below ${url}: ${got}`, 'Does the URL lack a path, or have one too many?']
}

/** For people: a line for each group of checks, the failures and remarks, and the sums. */
export const human: Reporter = ({ url, requests, results, differences }, hasColours) => {
  const { passed, failed, skipped, remarks } = summaryOf(results)
  const text = [
    `${paint('bold', `${name} verify`)} ${url}`,
    ...noListLines(url, results),
    '',
    ...groupLines(results),
    ...section('Failed', tellOnce(results, 'failures'), ({ claim, id, source, lists, findings }) => [
      `${paint('red', '✗')} ${paint('bold', claim)} ${paint('dim', id)}`,
      `  source: contract ${source}`,
      ...lists.length > 1 ? [`  lists:  ${lists.join(', ')}`] : [],
      ...findings.flatMap(findingLines)
    ]),
    ...section('Remarks: the contract leaves this open', tellOnce(results, 'remarks'), ({ claim, id, lists, findings }) => [
      `${paint('yellow', '!')} ${claim} ${paint('dim', id)}`,
      ...lists.length > 1 ? [`  lists: ${lists.join(', ')}`] : [],
      ...findings.map(({ expected, got }) => `  ours: ${printable(expected)}; here: ${printable(got)}`)
    ]),
    ...section('Skipped', skipped === 0 ? [] : [results], reasonLines),
    ...section('Compared with our records', differences ?? [], differenceLines),
    ...differences?.length === 0 ? ['', 'Every record is the same as ours.'] : [],
    '',
    `${paint('green', `${passed} passed`)}, ${paint(failed === 0 ? 'dim' : 'red', `${failed} failed`)}, ` +
      `${remarks} ${remarks === 1 ? 'remark' : 'remarks'}, ${paint('dim', `${skipped} skipped`)}. ${requests} requests.`,
    ''
  ].join('\n')
  return hasColours ? text : stripVTControlCharacters(text)
}

function section<T> (title: string, items: readonly T[], lines: (item: T) => string[]): string[] {
  if (items.length === 0) return []
  return ['', paint('bold', title), ...items.flatMap(item => ['', ...lines(item).map(line => line && `  ${line}`)])]
}

function findingLines ({ request, expected, got, record }: Finding): string[] {
  return [
    '',
    `  ${paint('cyan', printable(request))}`,
    `  expected: ${printable(expected)}`,
    `  got:      ${printable(got)}`,
    ...record === undefined ? [] : [`  record:   ${paint('dim', printable(short(JSON.stringify(record), 160)))}`]
  ]
}

/** Returns how many checks were skipped for each reason, the most frequent first. */
function reasonLines (results: readonly Result[]): string[] {
  const counts = new Map<string, number>()
  for (const { skipped } of results) if (skipped !== undefined) counts.set(skipped, (counts.get(skipped) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${String(count).padStart(3)}  ${reason}`)
}

/** Returns a line for each group of checks, which have the part of their ids before the slash in common. */
function groupLines (results: readonly Result[]): string[] {
  const groupOf = ({ id }: Result) => id.split('/')[0] as string
  return [...new Set(results.map(groupOf))].map(group => {
    const { passed, failed, skipped, remarks } = summaryOf(results.filter(result => groupOf(result) === group))
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
