import { test } from 'tap'
import { verify } from '../../src/verify/command.ts'
import type { Result } from '../../src/verify/check.ts'
import { tellOnce } from '../../src/verify/report.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { sites, skip, startSite, token, type Lists } from '../django/site.ts'
import { build } from '../helper.ts'
import { freeDirectory, run as pull } from '../pull/pulled.ts'

/** Where the records of a site contradict the specification; all else is a choice. */
const contradictions: Readonly<Record<keyof typeof sites, readonly string[]>> = {
  'any letters, and pages that hold everything': ['bikes/schema', 'chains/schema'],
  'rating, weight and reviews in version 1, numbers as text, version 2.1 like it in pages': ['bikes/schema', 'wheels/schema'],
  'fields that are null or absent, records of another order, empty lists': ['bikes/schema']
}

/** Checks of records, whose findings a copy shares; others concern the server. */
const isOfRecords = ({ id }: Result) => /\/(?:schema|fields|default-order|chosen|superset)$/.test(id)

/** Returns two pages of each list at most: enough for every check. */
const fewer = (lists: Lists) => Object.fromEntries(Object.entries(lists).map(([key, records]) => [key, records.slice(0, 12)])) as Lists

async function resultsOf (url: string): Promise<Result[]> {
  let stdout = ''
  const streams = { stdout: { write: (text: string) => { stdout += text } }, stderr: { write: () => {} } }
  await verify([url, '--rate', '100000', '--token', token, '--reporter', 'json'], { ...streams, signal: new AbortController().signal })
  return (JSON.parse(stdout) as { checks: Result[] }).checks
}

for (const [title, choices] of Object.entries(sites)) {
  test(`verify of a Django REST framework site and of its copy: ${title}`, { skip }, async t => {
    const { url } = await startSite(t, { ...choices, change: lists => fewer({ ...lists, ...choices.change?.(lists) }) })
    const { directory } = freeDirectory(t)
    t.match(await pull([url, directory, '--token', token, '--rate', '1000']), { code: 0 })
    const app = await build(t, { data: directory, tokens: [token] }, await loadCatalogue(directory))
    const copy = await app.listen({ port: 0, host: '127.0.0.1' })
    const [theirs, ours] = [await resultsOf(url), await resultsOf(copy)]

    const failed = (results: Result[]) => results.filter(({ ok }) => !ok).map(({ id }) => id)
    const wrongAges = choices.maxAge === 60 ? ['bikes', 'wheels', 'tyres', 'chains', 'groupsets'].map(key => `${key}/cache`) : []
    t.same(failed(ours), contradictions[title] ?? [])
    t.same(failed(theirs).sort(), [...failed(ours), ...wrongAges].sort())
    const told = (results: Result[], origin: string) => results.filter(isOfRecords).map(({ id, failures, remarks }) =>
      [id, [...failures, ...remarks].map(({ expected, got }) => `${expected}; ${got}`.replaceAll(origin, ''))])
    t.same(told(ours, copy), told(theirs, url))
    t.same(tellOnce(theirs, 'remarks').filter(({ id }) => id.startsWith('filters/')).map(({ findings }) => findings.length), [1], 'one remark on all filters')
  })
}
