import { printable, printableJson } from '../base/text.ts'
import { name, version } from '../package.ts'
import type { Finding } from './check.ts'
import type { Difference } from './compare.ts'
import { changeLine, groupOf, human, listsOf, moreOf, summaryOf, tellOnce, type Reporter, type Told } from './report.ts'

/** For programs: one JSON object. */
const json: Reporter = ({ url, requests, results: checks, differences, ignore: ignored }) =>
  `${printableJson(JSON.stringify({ url, version, checks, differences, summary: { ...summaryOf(checks), requests, ignored } }, null, 2))}\n`

const differenceLines = ({ changes, unread }: Difference) =>
  [...unread === undefined ? [] : [`not compared: ${unread}`], ...changes.map(changeLine)]

/** For GitHub Actions: an annotation for each failure, warning and differing list. */
const github: Reporter = ({ results, failOn, differences = [] }) => {
  const levelOf = (kind: string) => failOn.includes(kind) ? 'error' : 'notice'
  const lines = (level: 'error' | 'notice', { id, claim, source, findings }: Told) => findings.map(finding => {
    const { request, expected, got } = finding
    const notes = [...listsOf(finding), ...moreOf(finding)].map(note => ` (${note})`).join('')
    const text = printable(`${claim}${notes}. Expected ${expected}; got ${got}. ${request}`)
    return `${annotation(level, { title: `${id} (contract ${source})` }, text)}\n`
  })
  return [
    ...tellOnce(results, 'failures').flatMap(told => lines('error', told)),
    ...tellOnce(results, 'warnings').flatMap(told => lines(levelOf('warning'), told)),
    ...differences.filter(difference => differenceLines(difference).length > 0).map(difference =>
      `${annotation(levelOf('difference'), { title: difference.list }, differenceLines(difference).map(printable).join('\n'))}\n`)
  ].join('')
}

/** Returns a workflow command of GitHub Actions, escaped as @actions/core does. */
export function annotation (level: 'error' | 'warning' | 'notice', properties: object, message: string): string {
  const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const list = Object.entries(properties)
    .map(([key, value]) => `${key}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
  return `::${[level, list.join()].filter(Boolean).join(' ')}::${escaped(message)}`
}

type Case = {
  group: string, title: string, failure?: string, lines: readonly string[], skipped?: string | undefined, output?: readonly string[]
}

/** For CI servers: a test case for each check, and with --compare one for each list, which fails where the list differs. */
const junit: Reporter = ({ results, failOn, differences }) => {
  const line = ({ request, expected, got }: Finding) => `expected ${expected}; got ${got}; ${request}`
  const checks = results.map(({ id, claim, source, failures, warnings, skipped }): Case => {
    const failed = failOn.includes('warning') ? [...failures, ...warnings] : failures
    const output = failOn.includes('warning') ? [] : warnings.map(line)
    const failure = `${claim} (contract ${source})`
    return { group: groupOf(id), title: `${id}: ${claim}`, failure, lines: failed.map(line), skipped, output }
  })
  const lists = (differences ?? []).map((difference): Case => {
    const { list, unread } = difference
    const title = `${list} is as recorded`
    return { group: 'compare', title, failure: title, lines: unread === undefined ? differenceLines(difference) : [], skipped: unread }
  })
  const all = [...checks, ...lists]
  const cases = all.map(({ group, title, failure = '', lines, skipped, output = [] }) => {
    const inside = [
      lines.length > 0 && xml`<failure message="${failure}">${lines.join('\n')}</failure>`,
      lines.length === 0 && skipped !== undefined && xml`<skipped message="${skipped}"/>`,
      output.length > 0 && xml`<system-out>${output.join('\n')}</system-out>`
    ].filter(Boolean).join('')
    return `${xml`    <testcase classname="${group}" name="${title}">`}${inside}</testcase>\n`
  })
  const failed = all.filter(({ lines }) => lines.length > 0).length
  const skipped = all.filter(({ lines, skipped }) => lines.length === 0 && skipped !== undefined).length
  const suite = `  <testsuite name="${name} verify" tests="${all.length}" failures="${failed}" skipped="${skipped}">`
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
