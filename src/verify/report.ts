import { stripVTControlCharacters, styleText } from 'node:util'
import { printable, short, unprintable } from '../http/text.ts'
import { name, version } from '../package.ts'
import type { Finding, Result } from './check.ts'
import type { Difference } from './compare.ts'

type Report = {
  url: string
  /** Requests sent, each once however many checks need it. */
  requests: number
  results: readonly Result[]
  differences: readonly Difference[] | undefined
}

type Reporter = (report: Report, hasColours: boolean) => string

function summaryOf (results: readonly Result[]) {
  const failed = results.filter(({ ok }) => !ok).length
  const skipped = results.filter(({ skipped }) => skipped !== undefined).length
  const remarks = results.flatMap(({ remarks }) => remarks).length
  return { passed: results.length - failed - skipped, failed, skipped, remarks }
}

/** For programs: one JSON object. */
const json: Reporter = ({ url, requests, results: checks, differences }) => {
  const report = { url, version, checks, differences, summary: { ...summaryOf(checks), requests } }
  return `${printableJson(JSON.stringify(report, null, 2))}\n`
}

/** Escapes control and formatting characters within a JSON text, which stays the same value. */
function printableJson (json: string): string {
  const units = (sign: string) => sign.split('').map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  return json.replace(unprintable, sign => sign === '\n' ? sign : units(sign))
}

const paint = (style: Parameters<typeof styleText>[0], text: string) => styleText(style, text, { validateStream: false })

/** For people: a line for each group of checks, the failures and remarks, and the sums. */
const human: Reporter = ({ url, requests, results, differences }, hasColours) => {
  const { passed, failed, skipped, remarks } = summaryOf(results)
  const text = [
    `${paint('bold', `${name} verify`)} ${url}`,
    '',
    ...groupLines(results),
    ...section('Failed', results.filter(({ ok }) => !ok), ({ claim, id, source, failures }) => [
      `${paint('red', '✗')} ${paint('bold', claim)} ${paint('dim', id)}`,
      `  source: ${source}`,
      ...failures.flatMap(findingLines)
    ]),
    ...section('Remarks: the contract leaves this open', results.filter(({ remarks }) => remarks.length > 0), ({ claim, id, remarks }) => [
      `${paint('yellow', '!')} ${claim} ${paint('dim', id)}`,
      ...remarks.map(({ expected, got }) => `  ours: ${printable(expected)}; here: ${printable(got)}`)
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

export const reporters = { human, json } satisfies Record<string, Reporter>
