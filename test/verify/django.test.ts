import { test } from 'tap'
import type { Result } from '../../src/verify/check.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { fewer, sites, skip, startSite, token, type Choices } from '../django/site.ts'
import { build } from '../helper.ts'
import { freeDirectory, run as pull } from '../pull/pulled.ts'
import { failed, report } from './results.ts'

/** Returns one check of some lists. */
const of = (check: string, ...keys: string[]) => keys.map(key => `${key}/${check}`)

/** Some sites, where their records contradict the specification, and where the server does; all else is a choice. */
const contradictions: ReadonlyArray<readonly [title: string, ofRecords: readonly string[], ofServer: readonly string[]]> = [
  ['pages of 7, newest first, below a path, version 2.1 as an array', [], []],
  ['rating, weight and reviews in version 1, numbers as text, version 2.1 like it in pages', of('schema', 'bikes', 'wheels'), []],
  ['any letters, and pages that hold everything', of('schema', 'bikes', 'chains'), of('cache/age', 'bikes', 'wheels', 'tyres', 'chains', 'groupsets')],
  ['pages by offset, addresses without an origin', [], of('links', 'bikes', 'wheels', 'tyres', 'chains', 'groupsets', 'brakes', 'saddles', 'handlebars')]
]

/** Checks of records, whose findings a copy shares; others concern the server. */
const isOfRecords = ({ id }: Result) => /\/(?:schema|timestamps|image-urls|values|integers|unique|default-order|chosen|superset)$/.test(id)

const resultsOf = async (url: string) => (await report(url, '--token', token)).checks

for (const [title, ofRecords, ofServer] of contradictions) {
  test(`verify of a Django REST framework site and of its copy: ${title}`, { skip }, async t => {
    const { relative, ...choices } = sites[title] as Choices // a copy makes addresses absolute
    const { url } = await startSite(t, { ...choices, change: lists => fewer({ ...lists, ...choices.change?.(lists) }) })
    const { directory } = freeDirectory(t)
    t.match(await pull([url, directory, '--token', token, '--rate', '1000']), { code: 0 })
    const app = await build(t, { data: directory, tokens: [token] }, await loadCatalogue(directory))
    const copy = await app.listen({ port: 0, host: '127.0.0.1' })
    const [theirs, ours] = [await resultsOf(url), await resultsOf(copy)]

    for (const [name, results] of Object.entries({ ours, theirs })) {
      t.same(failed(results).sort(), [...ofRecords, ...ofServer].sort(), name) // headers and pages are recorded
    }
    const told = (results: Result[], origin: string) => results.filter(isOfRecords).map(({ id, failures, warnings }) =>
      [id, [...failures, ...warnings].map(({ expected, got }) => `${expected}; ${got}`.replaceAll(origin, ''))])
    t.same(told(ours, copy), told(theirs, url))
  })
}

test('verify of a plain Django REST framework site has no failure and at most 16 warnings', { skip }, async t => {
  const { url } = await startSite(t, { pageSize: 10, pageSizeV2: 10, change: fewer })
  const { code, summary } = await report(url, '--token', token)
  t.match({ code, summary }, { code: 0, summary: { failed: 0 } })
  t.ok(Number(summary['warnings']) <= 16, `${summary['warnings']} warnings`)
})
