import { groupBy } from '../base/group.ts'
import { counted, printable, short } from '../base/text.ts'
import { resources } from '../lists/resources.ts'
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

type Shared = Finding & { lists?: readonly string[] }

/** The findings of a check, perhaps on several lists. */
export type Told = Pick<Result, 'id' | 'claim' | 'source'> & { findings: readonly Shared[] }

/** Returns all findings. Those of the same check on several lists are grouped, and equal ones merged. */
export function tellOnce (results: readonly Result[], kind: 'failures' | 'warnings'): Told[] {
  const found = results.filter(result => result[kind].length > 0)
  return [...groupBy(found, ({ id }) => nameOf(id)).values()].map(of => {
    const [{ id, claim }] = of
    const isShared = of.length > 1
    const all = of.flatMap(({ id, claim, [kind]: own }) =>
      own.map(finding => ({ list: groupOf(id), path: claim.split(' ', 1).join(), finding })))
    const same = groupBy(all, ({ path, finding: { expected, got } }) => `${expected}\n${got}`.replaceAll(path, ''))
    const findings = [...same.values()].map(of =>
      ({ ...of[0].finding, lists: of.map(({ list }) => list), more: of.reduce((sum, { finding }) => sum + finding.more, of.length - 1) }))
    const source = [...new Set(of.flatMap(({ source }) => source.split(', ')))].join(', ')
    return { id: isShared ? nameOf(id) : id, claim: isShared ? claim.replace(/^\S+ /, '') : claim, source, findings }
  })
}

const isOfList = (id: string) => resources.some(({ key }) => id.startsWith(`${key}/`))
const nameOf = (id: string) => isOfList(id) ? id.replace(/^\w+\//, '') : id
export const groupOf = (id: string) => id.split('/')[0] as string

/** The most changes of a list that are printed without --verbose, and characters of a changed value. */
const limits = { changes: 20, characters: 60 }

const labelled = (label: string, text: string) => printable(`${label.padEnd(10)}${text}`)

/** Returns the lines of a finding with its lists, and the expected and the received value. */
export const outcomeLines = ({ lists = [], expected, got }: Shared) =>
  [...lists.length > 1 ? [labelled('lists:', lists.join(', '))] : [], labelled('expected:', expected), labelled('got:', got)]

export const findingLines = (finding: Shared) => [
  printable(finding.request),
  ...outcomeLines(finding),
  ...finding.record === undefined ? [] : [labelled('record:', short(JSON.stringify(finding.record), 160))],
  ...finding.more === 0 ? [] : [`and ${counted(finding.more, 'more request')}`]
]

/** Formats a change. Of long values, only the parts around the first difference are printed. */
export function changeLine ({ place, before, after }: Change): string {
  if (before === undefined) return `${place}: added ${short(String(after))}`
  if (after === undefined) return `${place}: removed ${short(before)}`
  const index = Array.from({ length: before.length + 1 }).findIndex((_, index) => before[index] !== after[index])
  const start = Math.max(before.length, after.length) > limits.characters ? Math.max(0, index - limits.characters / 3) : 0
  const [old, now] = [before, after].map(text => short(`${start > 0 ? '…' : ''}${text.slice(start)}`, limits.characters))
  return `${place}: ${old} → ${now}`
}

export const isAsRecorded = ({ changes, unread }: Difference) => changes.length === 0 && unread === undefined

/** Returns why a list was not compared, or its changes. */
export function differenceLines ({ changes, unread }: Difference, isVerbose: boolean): string[] {
  const shown = changes.slice(0, isVerbose ? Infinity : limits.changes)
  const more = changes.length - shown.length
  return [
    ...unread === undefined ? [] : [`not compared: ${unread}`],
    ...shown.map(changeLine),
    ...more === 0 ? [] : [`and ${more} more with --verbose`]
  ].map(printable)
}
