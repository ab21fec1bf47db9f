import { groupBy } from '../base/group.ts'
import { counted, printable, short } from '../base/text.ts'
import { resources } from '../lists/resources.ts'
import { isLimit, type Finding, type Result } from './check.ts'
import type { Change, ListDifference } from './compare.ts'

export type Report = {
  url: string
  /** Requests sent; checks share them. */
  requests: number
  results: readonly Result[]
  differences: readonly ListDifference[] | undefined
  /** The values of the flags. */
  failOn: readonly string[], ignore: readonly string[], isVerbose: boolean
}

export type Reporter = (report: Report, hasColours: boolean) => string

export type Counts = {
  passed: number
  failed: number
  /** Checks with warnings; the same check on several lists counts once. */
  warnings: number
  skipped: number
}

export function countsOf (results: readonly Result[]): Counts {
  const failed = results.filter(({ ok }) => !ok).length
  const skipped = results.filter(({ skipped }) => skipped !== undefined).length
  const passed = results.length - failed - skipped
  const warnings = groupFindings(results, 'warnings').length
  return { passed, failed, warnings, skipped }
}

type Shared = Finding & { lists?: readonly string[] }

/** The findings of a check, perhaps on several lists. */
export type FindingGroup = Pick<Result, 'id' | 'claim' | 'source'> & { findings: readonly Shared[] }

/** Returns all findings. Those of the same check on several lists are grouped, and equal ones merged. */
export function groupFindings (results: readonly Result[], kind: 'failures' | 'warnings'): FindingGroup[] {
  const found = results.filter(result => result[kind].length > 0)
  const sameChecks = groupBy(found, ({ id }) => checkName(id))
  const groups: FindingGroup[] = []
  for (const same of sameChecks.values()) groups.push(findingGroupOf(same, kind))
  return groups
}

function findingGroupOf (results: readonly [Result, ...Result[]], kind: 'failures' | 'warnings'): FindingGroup {
  const [{ id, claim }] = results
  const findings = mergedFindings(results, kind)
  const clauses = new Set(results.flatMap(({ source }) => source.split(', ')))
  const source = [...clauses].join(', ')
  if (results.length === 1) return { id, claim, source, findings }
  const withoutPath = claim.replace(/^\S+ /, '')
  return { id: checkName(id), claim: withoutPath, source, findings }
}

function mergedFindings (results: readonly Result[], kind: 'failures' | 'warnings'): Shared[] {
  const merged = new Map<string, Shared & { lists: string[] }>()
  for (const { id, claim, [kind]: own } of results) {
    const path = claim.split(' ', 1).join()
    for (const finding of own) {
      const key = `${finding.expected}\n${finding.got}`.replaceAll(path, '')
      const known = merged.get(key)
      if (known === undefined) merged.set(key, { ...finding, lists: [groupOf(id)] })
      else {
        known.lists.push(groupOf(id))
        known.more += finding.more + 1
      }
    }
  }
  return [...merged.values()]
}

const isOfList = (id: string) => resources.some(({ key }) => id.startsWith(`${key}/`))
const checkName = (id: string) => isOfList(id) ? id.replace(/^\w+\//, '') : id
export const groupOf = (id: string) => id.split('/')[0] as string

/** Returns a number of warnings with the number of lists that have them. */
export function warningsIn (results: readonly Result[]): string {
  const warnings = counted(countsOf(results).warnings, 'warning')
  const lists = new Set<string>()
  for (const result of results) {
    if (result.warnings.length > 0 && isOfList(result.id)) lists.add(groupOf(result.id))
  }
  return lists.size > 1 ? `${warnings} in ${lists.size} lists` : warnings
}

/** Returns why the checks of a report are not complete; undefined if they are. */
export function limitIn (results: readonly Result[]): string | undefined {
  const limited = results.filter(({ skipped }) => isLimit(skipped))
  const [first] = limited
  return first && `${counted(limited.length, 'check')} not complete: ${first.skipped}`
}

/** The most changes of a list that are printed without --verbose, and characters of a changed value. */
const limits = { changes: 20, characters: 60 }

const labelled = (label: string, text: string) => printable(`${label.padEnd(10)}${text}`)

/** Returns the lines of a finding with its lists, and the expected and the received value. */
export function outcomeLines ({ lists = [], expected, got }: Shared): string[] {
  const lines = [labelled('expected:', expected), labelled('got:', got)]
  if (lists.length > 1) lines.unshift(labelled('lists:', lists.join(', ')))
  return lines
}

export function findingLines (finding: Shared): string[] {
  const { request, record, more } = finding
  const lines = [printable(request), ...outcomeLines(finding)]
  if (record !== undefined) lines.push(labelled('record:', short(JSON.stringify(record), 160)))
  if (more > 0) lines.push(`and ${counted(more, 'more request')}`)
  return lines
}

/** Returns the lines of a warning: its first finding, or all of them. */
export function warningLines ({ findings }: FindingGroup, isVerbose: boolean): string[] {
  const shown = findings.slice(0, isVerbose ? findings.length : 1)
  const lines = shown.flatMap(outcomeLines)
  const more = findings.slice(shown.length)
  if (more.length === 0) return lines
  const lists = new Set(more.flatMap(({ lists = [] }) => lists))
  const place = lists.size > 1 ? ` in ${lists.size} lists` : ''
  return [...lines, `and ${more.length} more${place} with --verbose`]
}

/** Formats a change. Of long values, only the parts around the first difference are printed. */
export function changeLine ({ place, before, after }: Change): string {
  if (before === undefined) return `${place}: added ${short(String(after))}`
  if (after === undefined) return `${place}: removed ${short(before)}`
  const start = beginOf(before, after)
  const excerptOf = (text: string) => short(`${start > 0 ? '…' : ''}${text.slice(start)}`, limits.characters)
  const old = excerptOf(before)
  const now = excerptOf(after)
  const isVisible = old.normalize('NFKC') !== now.normalize('NFKC') && printable(old) !== printable(now)
  if (isVisible) return `${place}: ${old} → ${now}`
  return `${place}: ${codePointsOf(old)} → ${codePointsOf(now)}`
}

/** Returns where the printed part of two values begins: at the start, or before their first difference in long ones. */
function beginOf (before: string, after: string): number {
  if (Math.max(before.length, after.length) <= limits.characters) return 0
  let index = 0
  while (before[index] === after[index]) index++
  return Math.max(0, index - limits.characters / 3)
}

/** Returns the letters beyond ASCII by their code points, for strings that look the same. */
function codePointsOf (text: string): string {
  return text.replace(/[^ -~…]/gu, sign => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
}

export const isAsRecorded = ({ changes, unread }: ListDifference) => changes.length === 0 && unread === undefined

/** Returns why a list was not compared, or its changes. */
export function differenceLines ({ changes, unread }: ListDifference, isVerbose: boolean): string[] {
  const shown = changes.slice(0, isVerbose ? changes.length : limits.changes)
  const lines = shown.map(changeLine)
  if (unread !== undefined) lines.unshift(`not compared: ${unread}`)
  if (changes.length > shown.length) lines.push(`and ${changes.length - shown.length} more with --verbose`)
  return lines.map(printable)
}
