import { stripVTControlCharacters } from 'node:util'
import { groupBy } from '../base/group.ts'
import { annotation, painter, printable, printableJson } from '../base/text.ts'
import { name, version } from '../package.ts'
import type { Finding, Result } from './check.ts'
import {
  findingLines, groupOf, countsOf, groupFindings, warningLines, warningsIn,
  type Counts, type FindingGroup, type Report, type Reporter
} from './report.ts'

const paint = painter(true)

/** For people: a line for each group of checks, the failures and warnings, and the totals. */
const human: Reporter = (report, hasColours) => {
  const { url, results, isVerbose } = report
  if (results.length === 0) return '' // the error follows on stderr
  const lines = [`${paint('bold', `${name} verify`)} ${url}`]
  const statuses = results.filter(({ id, skipped }) => id.endsWith('/status') && skipped === undefined)
  if (statuses.length > 1 && statuses.every(({ ok }) => !ok)) {
    lines.push('', 'No list found. Has the URL the right path, and a user and a password if needed?')
  }
  lines.push('', ...groupLines(results))
  lines.push(...section('Failed', groupFindings(results, 'failures'), group => {
    const findings = group.findings.flatMap(finding => ['', ...indented(findingLines(finding))])
    return [titleLine(paint('red', '✗'), group), ...findings]
  }))
  const title = 'Warnings: the specification leaves this open, or it happens now and then'
  lines.push(...section(title, groupFindings(results, 'warnings'), group => {
    const findings = indented(warningLines(group, isVerbose))
    return [titleLine(paint('yellow', '!'), group), ...findings]
  }))
  const skipped = results.filter(({ skipped }) => skipped !== undefined)
  lines.push(...section('Skipped', skipped.length === 0 ? [] : [skipped], reasonLines))
  const text = [...lines, '', totalsOf(report), ''].join('\n')
  return hasColours ? text : stripVTControlCharacters(text)
}

const titleLine = (mark: string, { claim, id, source }: FindingGroup) =>
  `${mark} ${paint('bold', claim)} ${paint('dim', `[${id}] (${source})`)}`

/** Returns the number of skipped checks for each reason, the most frequent first. */
function reasonLines (skipped: readonly Result[]): string[] {
  const groups = groupBy(skipped, ({ skipped }) => skipped)
  const reasons = [...groups].sort(([, one], [, other]) => other.length - one.length)
  return reasons.map(([reason, { length }]) => `${String(length).padStart(3)}  ${reason}`)
}

function totalsOf ({ results, failOn, ignore, requests }: Report): string {
  const { passed, failed, warnings, skipped } = countsOf(results)
  const isStrict = failOn === 'warning' && warnings > 0
  const parts = [
    paint('green', `${passed} passed`),
    paint(failed === 0 ? 'dim' : 'red', `${failed} failed`),
    warningsIn(results) + (isStrict ? ' (--fail-on warning)' : ''),
    paint('dim', `${skipped} skipped`)
  ]
  if (ignore.length > 0) parts.push(`ignored: ${ignore.join(', ')}`)
  return `${parts.join(', ')}. ${requests} requests.`
}

const indented = (lines: readonly string[]) => lines.map(line => `  ${line}`)

function section<T> (title: string, items: readonly T[], linesOf: (item: T) => string[]): string[] {
  if (items.length === 0) return []
  const lines = ['', paint('bold', title)]
  for (const item of items) {
    lines.push('')
    for (const line of linesOf(item)) lines.push(line === '' ? line : `  ${line}`)
  }
  return lines
}

const columns = ['passed', 'failed', 'warnings', 'skipped'] as const

/** Returns a table with a row for each group of checks; their ids share the part before the slash. */
function groupLines (results: readonly Result[]): string[] {
  const lines = [paint('dim', tableRow(' ', '', columns))]
  for (const [group, own] of groupBy(results, ({ id }) => groupOf(id))) {
    const counts = countsOf(own)
    const cells = columns.map(name => counts[name] === 0 ? '-' : String(counts[name]))
    lines.push(tableRow(markOf(counts), group, cells))
  }
  return lines
}

function tableRow (mark: string, group: string, cells: readonly string[]): string {
  return `  ${mark} ${group.padEnd(12)}${cells.map(cell => cell.padStart(10)).join('')}`
}

function markOf ({ failed, passed }: Counts): string {
  if (failed > 0) return paint('red', '✗')
  return passed > 0 ? paint('green', '✓') : paint('dim', '-')
}

/** For programs: one JSON object. */
const json: Reporter = ({ url, requests, results, error, ignore }) => {
  const report = {
    url,
    version,
    complete: error === '',
    error: error || undefined,
    checks: results,
    summary: { ...countsOf(results), requests, ignored: ignore }
  }
  return `${printableJson(JSON.stringify(report, null, 2))}\n`
}

/** For GitHub Actions: an annotation for each failure and warning, and for a run that is not complete. */
const github: Reporter = ({ results, failOn, error }) => {
  const lines = annotationsOf('error', groupFindings(results, 'failures'))
  lines.push(...annotationsOf(failOn === 'warning' ? 'error' : 'notice', groupFindings(results, 'warnings')))
  if (error !== '') lines.push(annotation('error', { title: 'Not everything was checked' }, error))
  return lines.map(line => `${line}\n`).join('')
}

function annotationsOf (level: 'error' | 'notice', all: readonly FindingGroup[]): string[] {
  const lines: string[] = []
  for (const { id, claim, source, findings } of all) {
    const title = `${claim} [${id}] (${source})`
    for (const finding of findings) lines.push(annotation(level, { title }, findingLines(finding).join('\n')))
  }
  return lines
}

/** For CI servers: a test case for each check, and one with an error for a run that is not complete. */
const junit: Reporter = ({ results, failOn, error }) => {
  const cases: string[] = []
  for (const { id, claim, source, skipped, failures, warnings } of results) {
    const inside: string[] = []
    const failed = failOn === 'warning' ? [...failures, ...warnings] : failures
    const message = `${claim} (contract ${source})`
    if (failed.length > 0) inside.push(xml`<failure message="${message}">${findingTexts(failed)}</failure>`)
    if (skipped !== undefined) inside.push(xml`<skipped message="${skipped}"/>`)
    const isOutput = warnings.length > 0 && failOn !== 'warning'
    if (isOutput) inside.push(xml`<system-out>${findingTexts(warnings)}</system-out>`)
    cases.push(testCase(groupOf(id), `${id}: ${claim}`, inside.join('')))
  }
  if (error !== '') cases.push(testCase('run', 'the run is complete', xml`<error message="${error}"/>`))
  const [failures, errors, skipped] = ['<failure ', '<error ', '<skipped '].map(element => {
    return cases.filter(line => line.includes(element)).length // in texts, < is escaped
  })
  const counts = `tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}"`
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n',
    `  <testsuite name="${name} verify" ${counts}>\n`,
    ...cases,
    '  </testsuite>\n</testsuites>\n'
  ]
  return lines.join('')
}

const findingTexts = (findings: readonly Finding[]) =>
  findings.map(finding => findingLines(finding).join('\n')).join('\n\n')

const testCase = (group: string, name: string, inside: string) =>
  `${xml`    <testcase classname="${group}" name="${name}">`}${inside}</testcase>\n`

/** Inserts strings into XML; characters that are invalid in XML are replaced. */
function xml (parts: TemplateStringsArray, ...texts: string[]): string {
  return String.raw({ raw: parts }, ...texts.map(escapeXml))
}

const xmlEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml (text: string): string {
  const lines = text.split('\n').map(printable).join('\n')
  return lines.replace(/[\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD').replace(/[&<>"]/g, sign => xmlEscapes[sign] as string)
}

export const reporters = { human, json, github, junit }
