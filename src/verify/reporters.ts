import { stripVTControlCharacters } from 'node:util'
import { groupBy } from '../base/group.ts'
import { annotation, counted, painter, printable, printableJson } from '../base/text.ts'
import { name, version } from '../package.ts'
import type { Finding, Result } from './check.ts'
import {
  differenceLines, findingLines, groupOf, isAsRecorded, outcomeLines, summaryOf, tellOnce, type Reporter, type Told
} from './report.ts'

const paint = painter(true)

/** For people: a line for each group of checks, the failures, warnings and differences, and the totals. */
const human: Reporter = ({ url, requests, results, differences, failOn, ignore, isVerbose }, hasColours) => {
  const differing = differences?.filter(difference => !isAsRecorded(difference))
  const { passed, failed, skipped, warnings } = summaryOf(results)
  const statuses = results.filter(({ id, skipped }) => id.endsWith('/status') && skipped === undefined)
  const hasNoList = statuses.length >= 9 && statuses.every(({ ok }) => !ok)
  const head = (mark: string, { claim, id, source }: Told) => `${mark} ${paint('bold', claim)} ${paint('dim', `[${id}] (${source})`)}`
  const text = [
    `${paint('bold', `${name} verify`)} ${url}`,
    ...hasNoList ? ['', 'No list found. Does the URL lack a path, or have one too many?'] : [],
    '',
    ...groupLines(results),
    ...section('Failed', tellOnce(results, 'failures'), told => [
      head(paint('red', '✗'), told),
      ...told.findings.flatMap(finding => ['', ...findingLines(finding).map(line => `  ${painted(line)}`)])
    ]),
    ...section('Warnings: the specification leaves this open', tellOnce(results, 'warnings'), told => {
      const shown = told.findings.slice(0, isVerbose ? Infinity : 1)
      const more = told.findings.length === shown.length ? [] : [`and ${told.findings.length - shown.length} more with --verbose`]
      return [head(paint('yellow', '!'), told), ...[...shown.flatMap(outcomeLines), ...more].map(line => `  ${painted(line)}`)]
    }),
    ...section('Skipped', skipped === 0 ? [] : [results], reasonLines),
    ...section('Differences from the recording', differing ?? [], difference =>
      [paint('bold', difference.list), ...differenceLines(difference, isVerbose).map(line => `  ${painted(line)}`)]),
    ...differing?.length === 0 ? ['', 'No differences from the recording.'] : [],
    '',
    `${paint('green', `${passed} passed`)}, ${paint(failed === 0 ? 'dim' : 'red', `${failed} failed`)}, ${counted(warnings, 'warning')}` +
      `${failOn.includes('warning') && warnings > 0 ? ' (--fail-on warning)' : ''}, ${paint('dim', `${skipped} skipped`)}` +
      `${ignore.length > 0 ? `, ignored: ${ignore.join(', ')}` : ''}. ${requests} requests.`,
    ''
  ].join('\n')
  return hasColours ? text : stripVTControlCharacters(text)
}

function painted (line: string): string {
  if (line.startsWith('curl ')) return paint('cyan', line)
  return /^(?:record: |and \d)/.test(line) ? paint('dim', line) : line
}

function section<T> (title: string, items: readonly T[], lines: (item: T) => string[]): string[] {
  if (items.length === 0) return []
  return ['', paint('bold', title), ...items.flatMap(item => ['', ...lines(item).map(line => line && `  ${line}`)])]
}

/** Returns the number of skipped checks for each reason, the most frequent first. */
function reasonLines (results: readonly Result[]): string[] {
  const groups = groupBy(results.filter(({ skipped }) => skipped !== undefined), ({ skipped }) => skipped)
  return [...groups].sort(([, a], [, b]) => b.length - a.length).map(([reason, { length }]) => `${String(length).padStart(3)}  ${reason}`)
}

const columns = ['passed', 'failed', 'warnings', 'skipped'] as const

/** Returns a table with a row for each group of checks; their ids share the part before the slash. */
function groupLines (results: readonly Result[]): string[] {
  const row = (mark: string, group: string, cells: readonly string[]) =>
    `  ${mark} ${group.padEnd(12)}${cells.map(cell => cell.padStart(10)).join('')}`
  const rows = [...groupBy(results, ({ id }) => groupOf(id))].map(([group, own]) => {
    const counts = summaryOf(own)
    const markOfPassed = counts.passed > 0 ? paint('green', '✓') : paint('dim', '-')
    const mark = counts.failed > 0 ? paint('red', '✗') : markOfPassed
    return row(mark, group, columns.map(name => counts[name] === 0 ? '-' : String(counts[name])))
  })
  return [paint('dim', row(' ', '', columns)), ...rows]
}

/** For programs: one JSON object. */
const json: Reporter = ({ url, requests, results: checks, differences, ignore: ignored }) =>
  `${printableJson(JSON.stringify({ url, version, checks, differences, summary: { ...summaryOf(checks), requests, ignored } }, null, 2))}\n`

/** For GitHub Actions: an annotation for each failure, warning and differing list. */
const github: Reporter = ({ results, failOn, differences = [], isVerbose }) => {
  const levelOf = (kind: string) => failOn.includes(kind) ? 'error' : 'notice'
  const annotations = (level: 'error' | 'notice', told: readonly Told[]) => told.flatMap(({ id, claim, source, findings }) =>
    findings.map(finding => annotation(level, { title: `${claim} [${id}] (${source})` }, findingLines(finding).join('\n'))))
  const changes = differences.filter(difference => !isAsRecorded(difference)).map(difference =>
    annotation(levelOf('difference'), { title: `Changes of ${difference.list}` }, differenceLines(difference, isVerbose).join('\n')))
  return [
    ...annotations('error', tellOnce(results, 'failures')),
    ...annotations(levelOf('warning'), tellOnce(results, 'warnings')),
    ...changes
  ].map(line => `${line}\n`).join('')
}

/** For CI servers: a test case for each check, and with --compare one for each list, which fails where the list differs. */
const junit: Reporter = ({ results, failOn, differences = [], isVerbose }) => {
  const told = (findings: readonly Finding[]) => findings.map(finding => findingLines(finding).join('\n'))
  const checks = results.map(({ id, claim, source, skipped, failures, warnings }) => {
    const [failed, output] = failOn.includes('warning') ? [[...failures, ...warnings], []] : [failures, warnings]
    const message = `${claim} (contract ${source})`
    return { group: groupOf(id), title: `${id}: ${claim}`, message, failed: told(failed), output: told(output), skipped }
  })
  const lists = differences.map(difference => {
    const { list, changes, unread } = difference
    const failed = isAsRecorded(difference) ? [] : [differenceLines(difference, isVerbose).join('\n')]
    const message = unread === undefined ? counted(changes.length, 'change') : 'not compared'
    return { group: 'compare', title: `${list} is as recorded`, message, failed, output: [], skipped: undefined }
  })
  const cases = [...checks, ...lists]
  const lines = cases.map(({ group, title, message, failed, output, skipped }) => {
    const inside = [
      failed.length > 0 && xml`<failure message="${message}">${failed.join('\n\n')}</failure>`,
      skipped !== undefined && xml`<skipped message="${skipped}"/>`,
      output.length > 0 && xml`<system-out>${output.join('\n\n')}</system-out>`
    ].filter(Boolean).join('')
    return `${xml`    <testcase classname="${group}" name="${title}">`}${inside}</testcase>\n`
  })
  const [failures, skipped] = [cases.filter(({ failed }) => failed.length > 0), cases.filter(({ skipped }) => skipped !== undefined)]
  const suite = `  <testsuite name="${name} verify" tests="${cases.length}" failures="${failures.length}" skipped="${skipped.length}">`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suite}\n${lines.join('')}  </testsuite>\n</testsuites>\n`
}

/** Inserts strings into XML; characters that are invalid in XML are replaced. */
function xml (parts: TemplateStringsArray, ...texts: string[]): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  const escape = (text: string) => text.split('\n').map(printable).join('\n')
    .replace(/[\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD').replace(/[&<>"]/g, sign => escapes[sign] as string)
  return String.raw({ raw: parts }, ...texts.map(escape))
}

export const reporters = { human, json, github, junit }
