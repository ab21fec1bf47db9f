import { stripVTControlCharacters } from 'node:util'
import { groupBy } from '../base/group.ts'
import { counted, painter, printable, printableJson, short } from '../base/text.ts'
import { resources } from '../lists/resources.ts'
import { name, version } from '../package.ts'
import { hang, textWidth, wrapCommand } from '../base/terminal.ts'
import type { Finding, Result } from './check.ts'
import type { Difference } from './records.ts'

type Report = {
  url: string
  /** Requests sent, each once however many checks need it. */
  requests: number
  results: readonly Result[]
  differences: readonly Difference[] | undefined
  /** Warnings are failures, too. */
  failsOnWarnings: boolean
}

/** Formats a report; `columns` are those of a terminal, and lines are not wrapped for anything else. */
type Reporter = (report: Report, hasColours: boolean, columns?: number) => string

function summaryOf (results: readonly Result[]) {
  const failed = results.filter(({ ok }) => !ok).length
  const skipped = results.filter(({ skipped }) => skipped !== undefined).length
  const warnings = results.flatMap(({ warnings }) => warnings).length
  return { passed: results.length - failed - skipped, failed, skipped, warnings }
}

const paint = painter(true)

type Told = ReturnType<typeof tellOnce>[number]

/** Returns the findings of all checks; those that several checks share are told once. */
export function tellOnce (results: readonly Result[], kind: 'failures' | 'warnings') {
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

/** Names what checks have in common: one check of several lists, or several checks by the first of them; `others` are a label and names. */
function headOf (of: readonly Result[]) {
  const [{ id, claim }, ...others] = of as [Result, ...Result[]]
  if (others.length === 0) return { id, claim, others: [] }
  if (others.some(other => nameOf(other.id) !== nameOf(id))) return { id, claim, others: ['also', others.map(({ id }) => id).join(', ')] }
  return { id: nameOf(id), claim: claim.replace(/^\S+ /, ''), others: ['lists', of.map(({ id }) => groupOf(id)).join(', ')] }
}

/** For people: a line for each group of checks, the failures and warnings, and the sums. */
const human: Reporter = ({ url, requests, results, differences, failsOnWarnings }, hasColours, columns = Infinity) => {
  const width = textWidth(columns, Infinity) - 4
  const { passed, failed, skipped, warnings } = summaryOf(results)
  const head = (mark: string, { claim, id, others: [label, names] }: Told) => [
    ...hang(`${mark} `, [...claim.split(' ').map(word => paint('bold', word)), paint('dim', id)], width),
    ...names === undefined ? [] : beside(`${label}:`, names, width)
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
    ...section('Warnings: the contract leaves this open', tellOnce(results, 'warnings'), told => [
      ...head(paint('yellow', '!'), told),
      ...told.findings.flatMap(({ expected, got }) => hang('  ', printable(`ours: ${expected}; here: ${got}`).split(' '), width))
    ]),
    ...section('Skipped', skipped === 0 ? [] : [results], reasonLines),
    ...section('Compared with our records', differences ?? [], differenceLines),
    ...differences?.length === 0 ? ['', 'Every record is the same as ours.'] : [],
    '',
    `${paint('green', `${passed} passed`)}, ${paint(failed === 0 ? 'dim' : 'red', `${failed} failed`)}, ${counted(warnings, 'warning')}` +
      `${failsOnWarnings && warnings > 0 ? ' (--fail-on warning)' : ''}, ${paint('dim', `${skipped} skipped`)}. ${requests} requests.`,
    ''
  ].join('\n')
  return hasColours ? text : stripVTControlCharacters(text)
}

/** Returns the first thing to know about a wrong address. */
function noListLines (url: string, results: readonly Result[]): string[] {
  const statuses = results.filter(({ id, skipped }) => isOfList(id) && nameOf(id) === 'status' && skipped === undefined)
  if (statuses.length < 9 || statuses.some(({ ok }) => ok)) return []
  const got = printable(String(statuses[0]?.failures[0]?.got))
  return ['', `no list found below ${url}: ${got}`, 'Does the URL lack a path, or have one too many?']
}

function section<T> (title: string, items: readonly T[], lines: (item: T) => string[]): string[] {
  if (items.length === 0) return []
  return ['', paint('bold', title), ...items.flatMap(item => ['', ...lines(item).map(line => line && `  ${line}`)])]
}

/** Puts a text of a server beside its label, and wraps it there. */
const beside = (label: string, text: string, width: number) => hang(`  ${label.padEnd(10)}`, printable(text).split(' '), width)

const findingLines = ({ request, expected, got, record }: Finding, width: number) => [
  '',
  ...wrapCommand(printable(request), width).map(line => `  ${paint('cyan', line)}`),
  ...beside('expected:', expected, width),
  ...beside('got:', got, width),
  ...record === undefined ? [] : beside('record:', short(JSON.stringify(record), 160), width).map(line => paint('dim', line))
]

/** Returns how many checks were skipped for each reason, the most frequent first. */
function reasonLines (results: readonly Result[]): string[] {
  const groups = groupBy(results.filter(({ skipped }) => skipped !== undefined), ({ skipped }) => skipped)
  return [...groups].sort(([, a], [, b]) => b.length - a.length).map(([reason, { length }]) => `${String(length).padStart(3)}  ${reason}`)
}

/** Returns a line for each group of checks, which have the part of their ids before the slash in common. */
function groupLines (results: readonly Result[]): string[] {
  return [...groupBy(results, ({ id }) => groupOf(id))].map(([group, own]) => {
    const { passed, failed, skipped, warnings } = summaryOf(own)
    const counts = [`${passed} passed`, `${failed} failed`, counted(warnings, 'warning'), `${skipped} skipped`]
    const text = counts.filter(text => !text.startsWith('0 ')).map(text => text.replace(/^\d+/, count => count.padStart(3))).join(', ')
    const markOfPassed = passed > 0 ? paint('green', '✓') : paint('dim', '-')
    return `  ${failed > 0 ? paint('red', '✗') : markOfPassed} ${group.padEnd(14)}${text}`
  })
}

function differenceLines (difference: Difference): string[] {
  if ('unread' in difference) return [difference.list, `  not compared: ${difference.unread}`]
  const { list, missing, extra, changed } = difference
  return [
    list,
    ...Object.entries({ missing, extra }).filter(([, ids]) => ids.length > 0).map(([word, ids]) => `  ${word}: ${ids.join(', ')}`),
    ...changed.map(({ id, fields }) => `  ${id} differs in ${printable(short(fields.join(', '), 1000))}`)
  ]
}

/** For programs: one JSON object. */
const json: Reporter = ({ url, requests, results: checks, differences }) =>
  `${printableJson(JSON.stringify({ url, version, checks, differences, summary: { ...summaryOf(checks), requests } }, null, 2))}\n`

/** For GitHub Actions: an annotation for each failure and warning. */
const github: Reporter = ({ results, failsOnWarnings }) => {
  const lines = (level: 'error' | 'notice', { id, claim, source, others, findings }: Told) => findings.map(({ request, expected, got }) => {
    const text = printable(`${claim}${others.length === 0 ? '' : ` (${others.join(': ')})`}. Expected ${expected}; got ${got}. ${request}`)
    return `${annotation(level, { title: `${id} (contract ${source})` }, text)}\n`
  })
  const warnings = tellOnce(results, 'warnings').flatMap(told => lines(failsOnWarnings ? 'error' : 'notice', told))
  return [...tellOnce(results, 'failures').flatMap(told => lines('error', told)), ...warnings].join('')
}

/** Returns a workflow command of GitHub Actions, escaped as @actions/core does. */
export function annotation (level: 'error' | 'warning' | 'notice', properties: object, message: string): string {
  const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const list = Object.entries(properties)
    .map(([key, value]) => `${key}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
  return `::${[level, list.join()].filter(Boolean).join(' ')}::${escaped(message)}`
}

/** For CI servers: a test case for each check. */
const junit: Reporter = ({ results, failsOnWarnings }) => {
  const all = results.map(result =>
    failsOnWarnings ? { ...result, failures: [...result.failures, ...result.warnings], warnings: [] } : result)
  const line = ({ request, expected, got }: Finding) => `expected ${expected}; got ${got}; ${request}`
  const cases = all.map(({ id, claim, source, failures, warnings, skipped }) => {
    const inside = [
      failures.length > 0 && xml`<failure message="${claim} (contract ${source})">${failures.map(line).join('\n')}</failure>`,
      failures.length === 0 && skipped !== undefined && xml`<skipped message="${skipped}"/>`,
      warnings.length > 0 && xml`<system-out>${warnings.map(line).join('\n')}</system-out>`
    ].filter(Boolean).join('')
    return `${xml`    <testcase classname="${groupOf(id)}" name="${id}: ${claim}">`}${inside}</testcase>\n`
  })
  const failed = all.filter(({ failures }) => failures.length > 0).length
  const suite = `  <testsuite name="${name} verify" tests="${all.length}" failures="${failed}" skipped="${summaryOf(all).skipped}">`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suite}\n${cases.join('')}  </testsuite>\n</testsuites>\n`
}

/** Writes texts into XML; characters that it cannot hold are escaped or replaced. */
function xml (parts: TemplateStringsArray, ...texts: string[]): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  const escape = (text: string) => text.split('\n').map(printable).join('\n')
    .replace(/[\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD').replace(/[&<>"]/g, sign => escapes[sign] as string)
  return String.raw({ raw: parts }, ...texts.map(escape))
}

export const reporters = { human, json, github, junit }
