import { stripVTControlCharacters } from 'node:util'
import { groupBy } from '../base/group.ts'
import { counted, painter, printable, short } from '../base/text.ts'
import { resources } from '../lists/resources.ts'
import { name } from '../package.ts'
import type { Finding, Result } from './check.ts'
import type { Change, Difference } from './compare.ts'

export type Report = {
  url: string
  /** Requests sent; checks share them. */
  requests: number
  results: readonly Result[]
  differences: readonly Difference[] | undefined
  /** The values of the flags. */
  failOn: readonly string[], ignore: readonly string[], isVerbose: boolean
}

export type Reporter = (report: Report, hasColours: boolean) => string

/** Counts results; warnings of the same check on several lists count once. */
export function summaryOf (results: readonly Result[]) {
  const failed = results.filter(({ ok }) => !ok).length
  const skipped = results.filter(({ skipped }) => skipped !== undefined).length
  return { passed: results.length - failed - skipped, failed, skipped, warnings: tellOnce(results, 'warnings').length }
}

export type Told = ReturnType<typeof tellOnce>[number]

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
      const more = same.reduce((sum, { finding }) => sum + finding.more, 0)
      return { ...same[0].finding, more, ...new Set(lists.values()).size > 1 ? { got: each, lists: [] } : { lists: [...lists.keys()] } }
    })
    const source = [...new Set(of.flatMap(({ source }) => source.split(', ')))].join(', ')
    return of.length === 1 ? { id, claim, source, findings } : { id: nameOf(id), claim: claim.replace(/^\S+ /, ''), source, findings }
  })
}

const isOfList = (id: string) => resources.some(({ key }) => id.startsWith(`${key}/`))
const nameOf = (id: string) => isOfList(id) ? id.replace(/^\w+\//, '') : id
export const groupOf = (id: string) => id.split('/')[0] as string
export const listsOf = ({ lists }: Told['findings'][number]) => lists.length > 1 ? [`lists: ${lists.join(', ')}`] : []
export const moreOf = ({ more }: Finding) => more === 0 ? [] : [`and ${counted(more, 'more request')}`]

const paint = painter(true)

/** The most changes of a list that are printed without --verbose. */
const maxChanges = 20

/** For people: a line for each group of checks, the failures, warnings and differences, and the totals. */
export const human: Reporter = ({ url, requests, results, differences, failOn, ignore, isVerbose }, hasColours) => {
  const differing = differences?.filter(({ changes, unread }) => changes.length > 0 || unread !== undefined)
  const { passed, failed, skipped, warnings } = summaryOf(results)
  const head = (mark: string, { claim, id, source }: Told) => `${mark} ${paint('bold', claim)} ${paint('dim', `[${id}] (${source})`)}`
  const text = [
    `${paint('bold', `${name} verify`)} ${url}`,
    ...noListLines(url, results),
    '',
    ...groupLines(results),
    ...section('Failed', tellOnce(results, 'failures'), told => [
      head(paint('red', '✗'), told),
      ...told.findings.flatMap(findingLines)
    ]),
    ...section('Warnings: the specification leaves this open', tellOnce(results, 'warnings'), told => {
      const shown = told.findings.slice(0, isVerbose ? Infinity : 1)
      const lines = shown.flatMap(finding => [`expected ${finding.expected}; got ${finding.got}`, ...listsOf(finding)])
      const more = told.findings.length === shown.length ? [] : [`and ${told.findings.length - shown.length} more with --verbose`]
      return [head(paint('yellow', '!'), told), ...[...lines, ...more].map(line => `  ${printable(line)}`)]
    }),
    ...section('Skipped', skipped === 0 ? [] : [results], reasonLines),
    ...section('Differences from the recording', differing ?? [], difference => differenceLines(difference, isVerbose)),
    ...differing?.length === 0 ? ['', 'No differences from the recording.'] : [],
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

const labelled = (label: string, text: string) => `  ${label.padEnd(10)}${printable(text)}`

const findingLines = (finding: Told['findings'][number]) => {
  const { request, expected, got, record, lists } = finding
  return [
    '',
    ...lists.length > 1 ? [labelled('lists:', lists.join(', '))] : [],
    `  ${paint('cyan', printable(request))}`,
    labelled('expected:', expected),
    labelled('got:', got),
    ...record === undefined ? [] : [paint('dim', labelled('record:', short(JSON.stringify(record), 160)))],
    ...moreOf(finding).map(line => `  ${paint('dim', line)}`)
  ]
}

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

/** Formats a change, with the old and the new value. */
export function changeLine ({ place, before, after }: Change): string {
  if (before === undefined) return `${place}: added ${after}`
  return after === undefined ? `${place}: removed ${before}` : `${place}: ${before} → ${after}`
}

function differenceLines ({ list, changes, unread }: Difference, isVerbose: boolean): string[] {
  const shown = changes.slice(0, isVerbose ? Infinity : maxChanges)
  const more = changes.length - shown.length
  const lines = [
    ...unread === undefined ? [] : [`not compared: ${unread}`],
    ...shown.map(changeLine),
    ...more === 0 ? [] : [`and ${more} more with --verbose`]
  ]
  return [paint('bold', list), ...lines.map(line => `  ${printable(line)}`)]
}
