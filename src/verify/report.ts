import { stripVTControlCharacters } from 'node:util'
import { groupBy } from '../base/group.ts'
import { counted, painter, printable, printableJson, short } from '../base/text.ts'
import { resources } from '../lists/resources.ts'
import { name, version } from '../package.ts'
import { hang, textWidth, wrapCommand } from '../base/terminal.ts'
import type { Finding, Result } from './check.ts'
import type { Difference } from './compare.ts'
import { shown } from './read.ts'

type Report = {
  url: string
  /** Requests sent; checks share them. */
  requests: number
  results: readonly Result[]
  differences: readonly Difference[] | undefined
  /** The values of the flags. */
  failOn: readonly string[], ignore: readonly string[], isVerbose: boolean
}

/** Formats a report; lines are wrapped only for a terminal, which has `columns`. */
type Reporter = (report: Report, hasColours: boolean, columns?: number) => string

/** Counts results; warnings of the same check on several lists count once. */
function summaryOf (results: readonly Result[]) {
  const failed = results.filter(({ ok }) => !ok).length
  const skipped = results.filter(({ skipped }) => skipped !== undefined).length
  return { passed: results.length - failed - skipped, failed, skipped, warnings: tellOnce(results, 'warnings').length }
}

const paint = painter(true)

type Told = ReturnType<typeof tellOnce>[number]

/** Returns all findings. Those of the same check on several lists are grouped, and equal ones merged with the value of each list. */
export function tellOnce (results: readonly Result[], kind: 'failures' | 'warnings') {
  const found = results.filter(result => result[kind].length > 0)
  return [...groupBy(found, ({ id }) => nameOf(id)).values()].map(of => {
    const [{ id, claim }] = of
    const all = of.flatMap(({ id, claim, [kind]: own }) =>
      own.map(finding => ({ list: groupOf(id), key: finding.expected.replaceAll(claim.split(' ', 1).join(), ''), finding })))
    const findings = [...groupBy(all, ({ key }) => key).values()].map(same => {
      const lists = new Map(same.map(({ list, finding }) => [list, finding.got]))
      const each = [...lists].map(([list, got]) => `${list} ${short(got, 80)}`).join(', ')
      return { ...same[0].finding, ...new Set(lists.values()).size > 1 ? { got: each, lists: [] } : { lists: [...lists.keys()] } }
    })
    const source = [...new Set(of.flatMap(({ source }) => source.split(', ')))].join(', ')
    return of.length === 1 ? { id, claim, source, findings } : { id: nameOf(id), claim: claim.replace(/^\S+ /, ''), source, findings }
  })
}

const isOfList = (id: string) => resources.some(({ key }) => id.startsWith(`${key}/`))
const nameOf = (id: string) => isOfList(id) ? id.replace(/^\w+\//, '') : id
const groupOf = (id: string) => id.split('/')[0] as string
const listsOf = ({ lists }: Told['findings'][number]) => lists.length > 1 ? [`lists: ${lists.join(', ')}`] : []

/** For people: a line for each group of checks, the failures and warnings, and the totals. */
const human: Reporter = ({ url, requests, results, differences, failOn, ignore, isVerbose }, hasColours, columns = Infinity) => {
  const width = textWidth(columns, Infinity) - 4
  const { passed, failed, skipped, warnings } = summaryOf(results)
  const words = (style: 'bold' | 'dim', text: string) => text.split(' ').map(word => paint(style, word))
  const head = (mark: string, { claim, id, source }: Told) =>
    hang(`${mark} `, [...words('bold', claim), ...words('dim', `${id} (${source})`)], width)
  const text = [
    `${paint('bold', `${name} verify`)} ${url}`,
    ...noListLines(url, results),
    '',
    ...groupLines(results),
    ...section('Failed', tellOnce(results, 'failures'), told => [
      ...head(paint('red', '✗'), told),
      ...told.findings.flatMap(finding => findingLines(finding, width))
    ]),
    ...section('Warnings: the specification leaves this open', tellOnce(results, 'warnings'), told => {
      const shown = told.findings.slice(0, isVerbose ? Infinity : 1)
      const lines = shown.flatMap(finding => [`ours: ${finding.expected}; here: ${finding.got}`, ...listsOf(finding)])
      const more = told.findings.length === shown.length ? [] : [`and ${told.findings.length - shown.length} more with --verbose`]
      return [...head(paint('yellow', '!'), told), ...[...lines, ...more].flatMap(line => hang('  ', printable(line).split(' '), width))]
    }),
    ...section('Skipped', skipped === 0 ? [] : [results], reasonLines),
    ...section('Compared with the records', differences ?? [], differenceLines),
    ...differences?.length === 0 ? ['', 'Compared with the records: all are the same.'] : [],
    '',
    `${paint('green', `${passed} passed`)}, ${paint(failed === 0 ? 'dim' : 'red', `${failed} failed`)}, ${counted(warnings, 'warning')}` +
      `${failOn.includes('warning') && warnings > 0 ? ' (--fail-on warning)' : ''}, ${paint('dim', `${skipped} skipped`)}` +
      `${ignore.length > 0 ? `, ignored: ${ignore.join(', ')}` : ''}. ${requests} requests.`,
    ''
  ].join('\n')
  return hasColours ? text : stripVTControlCharacters(text)
}

/** Returns a hint if the URL looks wrong. */
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

/** Puts a server's string next to its label, and wraps it there. */
const labelled = (label: string, text: string, width: number) => hang(`  ${label.padEnd(10)}`, printable(text).split(' '), width)

const findingLines = ({ request, expected, got, record, lists }: Told['findings'][number], width: number) => [
  '',
  ...lists.length > 1 ? labelled('lists:', lists.join(', '), width) : [],
  ...wrapCommand(printable(request), width).map(line => `  ${paint('cyan', line)}`),
  ...labelled('expected:', expected, width),
  ...labelled('got:', got, width),
  ...record === undefined ? [] : labelled('record:', short(JSON.stringify(record), 160), width).map(line => paint('dim', line))
]

/** Returns the number of skipped checks for each reason, the most frequent first. */
function reasonLines (results: readonly Result[]): string[] {
  const groups = groupBy(results.filter(({ skipped }) => skipped !== undefined), ({ skipped }) => skipped)
  return [...groups].sort(([, a], [, b]) => b.length - a.length).map(([reason, { length }]) => `${String(length).padStart(3)}  ${reason}`)
}

/** Returns a line for each group of checks; their ids share the part before the slash. */
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
  const { list, added, removed, changed, others } = difference
  return [
    list,
    ...Object.entries({ added, removed }).filter(([, ids]) => ids.length > 0).map(([word, ids]) => `${word}: ${ids.map(shown).join(', ')}`),
    ...[...groupBy(changed, ({ fields }) => fields.join(', '))].map(([fields, same]) =>
      `${same.map(({ id }) => shown(id)).join(', ')} ${same.length === 1 ? 'differs' : 'differ'} in ${fields}`),
    ...others
  ].map((line, index) => (index === 0 ? '' : '  ') + printable(short(line, 1000)))
}

/** For programs: one JSON object. */
const json: Reporter = ({ url, requests, results: checks, differences, ignore: ignored }) =>
  `${printableJson(JSON.stringify({ url, version, checks, differences, summary: { ...summaryOf(checks), requests, ignored } }, null, 2))}\n`

/** For GitHub Actions: an annotation for each failure, warning and differing list. */
const github: Reporter = ({ results, failOn, differences = [] }) => {
  const levelOf = (kind: string) => failOn.includes(kind) ? 'error' : 'notice'
  const lines = (level: 'error' | 'notice', { id, claim, source, findings }: Told) => findings.map(finding => {
    const { request, expected, got } = finding
    const text = printable(`${claim}${listsOf(finding).map(lists => ` (${lists})`).join()}. Expected ${expected}; got ${got}. ${request}`)
    return `${annotation(level, { title: `${id} (contract ${source})` }, text)}\n`
  })
  return [
    ...tellOnce(results, 'failures').flatMap(told => lines('error', told)),
    ...tellOnce(results, 'warnings').flatMap(told => lines(levelOf('warning'), told)),
    ...differences.map(differenceLines)
      .map(([list, ...lines]) => `${annotation(levelOf('difference'), { title: list }, lines.map(line => line.trim()).join('; '))}\n`)
  ].join('')
}

/** Returns a workflow command of GitHub Actions, escaped as @actions/core does. */
export function annotation (level: 'error' | 'warning' | 'notice', properties: object, message: string): string {
  const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const list = Object.entries(properties)
    .map(([key, value]) => `${key}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
  return `::${[level, list.join()].filter(Boolean).join(' ')}::${escaped(message)}`
}

/** For CI servers: a test case for each check. */
const junit: Reporter = ({ results, failOn }) => {
  const all = results.map(result =>
    failOn.includes('warning') ? { ...result, failures: [...result.failures, ...result.warnings], warnings: [] } : result)
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

/** Inserts strings into XML; characters that are invalid in XML are replaced. */
function xml (parts: TemplateStringsArray, ...texts: string[]): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  const escape = (text: string) => text.split('\n').map(printable).join('\n')
    .replace(/[\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD').replace(/[&<>"]/g, sign => escapes[sign] as string)
  return String.raw({ raw: parts }, ...texts.map(escape))
}

export const reporters = { human, json, github, junit }
