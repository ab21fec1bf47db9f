import { printable, printableJson } from '../http/text.ts'
import { name, version } from '../package.ts'
import type { Finding, Result } from './check.ts'
import { human, summaryOf, tellOnce, type Reporter, type Told } from './report.ts'

/** For programs: one JSON object. */
const json: Reporter = ({ url, requests, results: checks, differences }) => {
  const report = { url, version, checks, differences, summary: { ...summaryOf(checks), requests } }
  return `${printableJson(JSON.stringify(report, null, 2))}\n`
}

/** For GitHub Actions: an annotation for each failure and remark. */
const github: Reporter = ({ results, failsOnRemarks }) => {
  const annotate = (level: Level, { id, claim, source, others, findings }: Told) => findings.map(({ request, expected, got }) => {
    const text = printable(`${claim}${others === undefined ? '' : ` (${others.join(': ')})`}. Expected ${expected}; got ${got}. ${request}`)
    return `${annotation(level, { title: `${id} (contract ${source})` }, text)}\n`
  })
  const levelOfRemarks = failsOnRemarks ? 'error' : 'notice'
  const failures = tellOnce(results, 'failures').flatMap(told => annotate('error', told))
  return [...failures, ...tellOnce(results, 'remarks').flatMap(told => annotate(levelOfRemarks, told))].join('')
}

type Level = 'error' | 'warning' | 'notice'

/** Returns a workflow command of GitHub Actions, escaped as @actions/core does. */
export function annotation (level: Level, properties: Readonly<Record<string, unknown>>, message: string): string {
  const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const list = Object.entries(properties)
    .map(([key, value]) => `${key}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
  return `::${[level, list.join()].filter(Boolean).join(' ')}::${escaped(message)}`
}

/** For CI servers: a test case for each check. */
const junit: Reporter = ({ results, failsOnRemarks }) => {
  const failuresOf = ({ failures, remarks }: Result) => failsOnRemarks ? [...failures, ...remarks] : failures
  const line = ({ request, expected, got }: Finding) => `expected ${expected}; got ${got}; ${request}`
  const cases = results.map(result => {
    const { id, claim, source, remarks, skipped } = result
    const failures = failuresOf(result)
    const inside = [
      ...failures.length === 0 ? [] : [xml`<failure message="${claim} (contract ${source})">${failures.map(line).join('\n')}</failure>`],
      ...failures.length > 0 || skipped === undefined ? [] : [xml`<skipped message="${skipped}"/>`],
      ...failsOnRemarks || remarks.length === 0 ? [] : [xml`<system-out>${remarks.map(line).join('\n')}</system-out>`]
    ]
    return `${xml`    <testcase classname="${id.split('/')[0] as string}" name="${id}: ${claim}">`}${inside.join('')}</testcase>\n`
  })
  const counts = {
    tests: results.length,
    failures: results.filter(result => failuresOf(result).length > 0).length,
    skipped: results.filter(({ skipped }) => skipped !== undefined).length
  }
  const sums = Object.entries(counts).map(([key, count]) => ` ${key}="${count}"`).join('')
  const suite = `  <testsuite name="${name} verify"${sums}>\n${cases.join('')}  </testsuite>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suite}</testsuites>\n`
}

/** Writes texts into XML; characters that it cannot hold are escaped or replaced. */
function xml (parts: TemplateStringsArray, ...texts: string[]): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  const escape = (text: string) => text.split('\n').map(printable).join('\n')
    .replace(/[\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD').replace(/[&<>"]/g, sign => escapes[sign] as string)
  return String.raw({ raw: parts }, ...texts.map(escape))
}

export const reporters = { human, json, github, junit } satisfies Record<string, Reporter>
