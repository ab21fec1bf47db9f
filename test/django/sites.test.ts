import { test } from 'tap'
import { run as check } from '../../src/command/check.ts'
import { recordedFiles } from '../../src/catalogue/files.ts'
import { resources } from '../../src/lists/resources.ts'
import type { Result } from '../../src/verify/check.ts'
import { assertSameBytes, assertSameValues, freeDirectory, run as pull, serveData, token } from '../pull/pulled.ts'
import { failed, report } from '../verify/results.ts'
import { sites, skip, startSite } from './site.ts'
import '../limit.ts'

/** Returns one check of some lists. */
const of = (check: string, ...keys: string[]) => keys.map(key => `${key}/${check}`)

/** The public lists with more records than a page. */
const severalPages = resources.map(({ key }) => key).filter(key => !['featured', 'bikesV2'].includes(key))

/** Some sites, and the checks that fail: of their records, and of their server; all else is a choice. */
const contradictions: Readonly<Record<string, readonly string[]>> = {
  'pages of 7, newest first, below a path, version 2.1 as an array': [],
  'rating, weight and reviews in version 1, numbers as text, version 2.1 like it in pages':
    of('schema', 'bikes', 'wheels'),
  'any letters, and pages that hold everything': [
    ...of('schema', 'bikes', 'chains'), ...of('cache/age', 'bikes', 'wheels', 'tyres', 'chains', 'groupsets')
  ],
  'pages by offset': of('links', ...severalPages)
}

/** The checks that fail for a copy only: what was not recorded is sorted by English collation, Á before P. */
const contradictionsOfCopy: Readonly<Record<string, readonly string[]>> = {
  'rating, weight and reviews in version 1, numbers as text, version 2.1 like it in pages':
    ['bikes/ordering/title', 'bikes/ordering/-title'],
  'any letters, and pages that hold everything': ['bikes/ordering/title', 'bikes/ordering/-title'],
  'pages by offset': ['bikes/ordering/title']
}

/** A site has 13 records of each list at most, so references lead to records that it does not have. */
const isReference = (id: string) => id.endsWith('/references')

/** Checks of records, whose findings a copy shares; others concern the server. */
const isOfRecords = ({ id }: Result) =>
  /\/(?:schema|timestamps|image-urls|values|integers|unique|default-order|chosen|same|superset)$/.test(id)

for (const [title, choices] of Object.entries(sites)) {
  test(`a Django REST framework site and its copy: ${title}`, { skip }, async t => {
    const url = await startSite(t, choices)
    const { directory } = freeDirectory(t)
    const pulled = {
      code: 0,
      stderr: /^(?!.*keeps its URL)/s,
      stdout: /^\d+ bikes, \d+ featured, .* bikes of version 2\.1, \d+ images/
    }
    t.match(await pull([url, directory, '--token', token, '--rate', '1000', '--images']), pulled)
    t.equal(await check([directory], { stdout: { write: () => {} } }), 0)

    const targets: string[] = []
    const made: string[] = [] // in the contract's spelling, as they are not recorded
    for (const { key, path, sortable } of resources) {
      const [, kind = ''] = choices.wire?.pages?.[recordedFiles[key]] ?? []
      for (let target: string | undefined = path; target !== undefined;) {
        targets.push(target)
        const response = await fetch(url + target, { headers: { authorization: `Token ${token}` } })
        const { next } = await response.json() as { next?: string | null }
        target = next?.slice(url.length)
      }
      // Other queries have the links of page numbers, or the document.
      if (choices.offsets !== undefined || ['cursor', 'data'].includes(kind)) continue
      targets.push(`${path}?page=1`)
      if (choices.pageSize !== undefined) continue
      const recorded = sortable.length > 0 ? sortable : [key === 'featured' ? 'title' : 'brand']
      for (const field of ['title', 'brand', 'brand_name', 'year', 'rating']) {
        const orders = [`${path}?ordering=${field}`, `${path}?ordering=-${field}`]
        const hasOwnSpelling = choices.wire?.rest !== undefined && !recorded.includes(field)
        if (hasOwnSpelling) made.push(...orders)
        else targets.push(...orders)
      }
    }
    await assertSameBytes(t, url, directory, targets)
    await assertSameValues(t, url, directory, made)
    for (const other of ['', 'invalid', 'Bearer other']) {
      await assertSameBytes(t, url, directory, ['/api/v2/bikes/'], other)
    }

    const expected = contradictions[title]
    if (expected === undefined) return
    const findings = []
    const copy = (await serveData(t, directory)).url
    const ofCopy = [...expected, ...contradictionsOfCopy[title] ?? []]
    for (const [origin, wrong] of [[url, expected], [copy, ofCopy]] as const) {
      const { checks, summary } = await report(origin, '--token', token)
      t.same(failed(checks).filter(id => !isReference(id)).sort(), [...wrong].sort(), origin)
      t.ok(expected.length > 0 || Number(summary['warnings']) <= 16, `${summary['warnings']} warnings`)
      findings.push(checks.filter(isOfRecords).map(({ id, failures, warnings }) =>
        [id, [...failures, ...warnings].map(({ expected, got }) => `${expected}; ${got}`.replaceAll(origin, ''))]))
    }
    t.same(findings[1], findings[0])
  })
}
