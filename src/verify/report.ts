import { groupBy } from '../base/group.ts'
import { counted, printable, short } from '../base/text.ts'
import { resources } from '../lists/resources.ts'
import { isLimit, type Finding, type Result } from './check.ts'

export type Report = {
  url: string
  /** Requests sent; checks share them. */
  requests: number
  results: readonly Result[]
  /** Why the report is not complete; empty if it is. */
  error: string
  /** The values of the flags. */
  failOn: 'failure' | 'warning', ignore: readonly string[], isVerbose: boolean
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
  return Array.from(groupBy(found, ({ id }) => isOfList(id) ? id.replace(/^\w+\//, '') : id), ([name, same]) => {
    const [{ id, claim }] = same
    const findings = mergedFindings(same, kind)
    const clauses = new Set(same.flatMap(({ source }) => source.split(', ')))
    const source = [...clauses].join(', ')
    if (same.length === 1) return { id, claim, source, findings }
    return { id: name, claim: claim.replace(/^\S+ /, ''), source, findings }
  })
}

function mergedFindings (results: readonly Result[], kind: 'failures' | 'warnings'): Shared[] {
  const all = results.flatMap(({ id, claim, [kind]: own }) => {
    const path = claim.split(' ', 1).join()
    return own.map(finding => ({ finding, path, list: groupOf(id) }))
  })
  const equal = groupBy(all, ({ finding: { expected, got }, path }) => `${expected}\n${got}`.replaceAll(path, ''))
  return Array.from(equal.values(), same => {
    const more = same.reduce((sum, { finding }) => sum + finding.more + 1, -1)
    return { ...same[0].finding, lists: same.map(({ list }) => list), more }
  })
}

const isOfList = (id: string) => resources.some(({ key }) => id.startsWith(`${key}/`))
export const groupOf = (id: string) => id.split('/')[0] as string

/** Returns a number of warnings with the number of lists that have them. */
export function warningsIn (results: readonly Result[]): string {
  const warnings = counted(countsOf(results).warnings, 'warning')
  const ids = results.filter(({ warnings }) => warnings.length > 0).map(({ id }) => id)
  const lists = new Set(ids.filter(isOfList).map(groupOf))
  return lists.size > 1 ? `${warnings} in ${lists.size} lists` : warnings
}

/** Returns why the checks of a report are not complete; undefined if they are. */
export function limitIn (results: readonly Result[]): string | undefined {
  const limited = results.filter(({ skipped }) => isLimit(skipped))
  const [first] = limited
  return first && `${counted(limited.length, 'check')} not complete: ${first.skipped}`
}

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
  return more.length === 0 ? lines : [...lines, `and ${more.length} more with --verbose`]
}
