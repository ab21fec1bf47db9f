import { styleText } from 'node:util'
import { name, version } from '../package.ts'
import type { Finding, Result } from './check.ts'
import type { Difference } from './compare.ts'

/** Everything that a run found out. */
export type Report = {
  url: string
  /** Requests that were sent; what several checks ask is sent once. */
  requests: number
  results: readonly Result[]
  differences: readonly Difference[] | undefined
}

/** How results are told: each as it comes, then all together. */
export type Reporter = { each: (result: Result, number: number) => string, end: (report: Report) => string }

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

export function summaryOf (results: readonly Result[]) {
  const skipped = results.filter(({ skipped }) => skipped !== undefined).length
  const failed = results.filter(({ ok }) => !ok).length
  return {
    passed: results.length - skipped - failed,
    failed,
    skipped,
    remarks: results.reduce((sum, { remarks }) => sum + remarks.length, 0)
  }
}

/** For programs: one JSON object at the end. */
const json: Reporter = {
  each: () => '',
  end: ({ url, requests, results, differences }) => `${JSON.stringify({
    url,
    version,
    checks: results,
    ...differences === undefined ? {} : { differences },
    summary: { ...summaryOf(results), requests }
  }, null, 2)}\n`
}

/** For test runners: TAP 14, findings as YAML, remarks as comments. */
const tap: Reporter = {
  each: (result, number) => {
    const { id, claim, ok, skipped, failures, remarks } = result
    const title = `${id}: ${claim}`.replace(/[\\#]/g, '\\$&')
    const line = `${ok ? 'ok' : 'not ok'} ${number} - ${title}${skipped === undefined ? '' : ` # SKIP ${skipped}`}\n`
    const head = number === 1 ? `TAP version 14\n${line}` : line
    const yaml = ok ? '' : `  ---\n  source: ${JSON.stringify(result.source)}\n  failures:\n${failures.map(yamlOf).join('')}  ...\n`
    return head + yaml + remarks.map(({ expected, got }) => `# remark: expected ${oneLine(expected)}, got ${oneLine(got)}\n`).join('')
  },
  end: ({ results, differences = [] }) => `${differences.flatMap(linesOf).map(line => `# ${line}\n`).join('')}1..${results.length}\n`
}

function yamlOf (finding: Finding): string {
  const lines = Object.entries(finding).map(([field, value]) => `${field}: ${JSON.stringify(value)}`)
  return `    - ${lines.join('\n      ')}\n`
}

function oneLine (text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** For people: what failed and what is remarked, then the sums; what holds is one line a subject. */
function human (paint: Paint): Reporter {
  return {
    each: () => '',
    end: ({ url, requests, results, differences }) => {
      const { passed, failed, skipped, remarks } = summaryOf(results)
      const sums = [
        paint('green', `${passed} hold`),
        paint(failed === 0 ? 'dim' : 'red', `${failed} do not`),
        `${remarks} ${remarks === 1 ? 'remark' : 'remarks'}`,
        paint('dim', `${skipped} not tried`)
      ]
      return [
        `${paint('bold', `${name} verify`)} ${url}`,
        '',
        ...subjects(results).map(subject => subjectLine(subject, paint)),
        ...section('Do not hold', results.filter(({ ok }) => !ok), result => [
          `${paint('red', '✗')} ${paint('bold', result.claim)} ${paint('dim', result.id)}`,
          `  stands in: ${result.source}`,
          ...result.failures.flatMap(finding => ['', ...findingLines(finding, paint)])
        ], paint),
        ...section('Remarks: the contract leaves this open', results.filter(result => result.remarks.length > 0), result => [
          `${paint('yellow', '!')} ${result.claim} ${paint('dim', result.id)}`,
          ...result.remarks.map(({ expected, got }) => `  ours: ${oneLine(expected)}; here: ${oneLine(got)}`)
        ], paint),
        ...section('Not tried', skipped === 0 ? [] : [results], reasonLines, paint),
        ...section('Compared with our records', differences ?? [], linesOf, paint),
        ...differences?.length === 0 ? ['', 'Every record is the same as ours.'] : [],
        '',
        `${sums.join(', ')}. ${requests} requests.`,
        ''
      ].join('\n')
    }
  }
}

function section<T> (title: string, items: readonly T[], lines: (item: T) => string[], paint: Paint): string[] {
  if (items.length === 0) return []
  return ['', paint('bold', title), ...items.flatMap(item => ['', ...lines(item).map(line => line && `  ${line}`)])]
}

function findingLines ({ request, expected, got, record }: Finding, paint: Paint): string[] {
  const text = record === undefined ? undefined : JSON.stringify(record)
  return [
    `  ${paint('cyan', request)}`,
    `  expected: ${oneLine(expected)}`,
    `  got:      ${oneLine(got)}`,
    ...text === undefined ? [] : [`  record:   ${paint('dim', text.length > 160 ? `${text.slice(0, 159)}…` : text)}`]
  ]
}

/** How many checks were not tried for each reason, the commonest first. */
function reasonLines (results: readonly Result[]): string[] {
  const counts = new Map<string, number>()
  for (const { skipped } of results) if (skipped !== undefined) counts.set(skipped, (counts.get(skipped) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) =>
    `${String(count).padStart(3)}  ${count === 1 ? reason : reason.replace(/^needs/, 'need')}`)
}

type Subject = { subject: string, results: Result[] }

/** The checks by what stands before the slash in their ids. */
function subjects (results: readonly Result[]): Subject[] {
  const names = [...new Set(results.map(({ id }) => id.split('/')[0] as string))]
  return names.map(subject => ({ subject, results: results.filter(({ id }) => id.split('/')[0] === subject) }))
}

function subjectLine ({ subject, results }: Subject, paint: Paint): string {
  const { passed, failed, skipped, remarks } = summaryOf(results)
  const mark = failed > 0 ? paint('red', '✗') : passed === 0 ? paint('dim', '-') : paint('green', '✓')
  const counts = [[passed, 'hold'], [failed, 'do not'], [remarks, 'remarked'], [skipped, 'not tried']] as const
  const text = counts.filter(([count]) => count > 0).map(([count, word]) => `${String(count).padStart(3)} ${word}`).join(', ')
  return `  ${mark} ${subject.padEnd(14)}${text}`
}

function linesOf (difference: Difference): string[] {
  if ('unread' in difference) return [difference.list, `  not compared: ${difference.unread}`]
  const { list, missing, extra, changed } = difference
  return [
    list,
    ...missing.length === 0 ? [] : [`  missing: ${missing.join(', ')}`],
    ...extra.length === 0 ? [] : [`  extra: ${extra.join(', ')}`],
    ...changed.map(({ id, fields }) => `  ${id} differs in ${fields.join(', ')}`)
  ]
}

/** The reporters by name; colours are the human one's affair. */
export const reporters = {
  human: (hasColours: boolean) => human((style, text) => hasColours ? styleText(style, text, { validateStream: false }) : text),
  tap: () => tap,
  json: () => json
} satisfies Record<string, (hasColours: boolean) => Reporter>
