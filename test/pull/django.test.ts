import { test } from 'tap'
import { run as check } from '../../src/command/check.ts'
import { recordedFiles } from '../../src/catalogue/files.ts'
import { resources } from '../../src/lists/resources.ts'
import { fewer, sites, skip, startSite, token } from '../django/site.ts'
import { assertSameBytes, freeDirectory, run } from './pulled.ts'

for (const [title, choices] of Object.entries(sites)) {
  test(`a Django REST framework site is served as it is: ${title}`, { skip }, async t => {
    t.setTimeout(120_000) // a busy machine
    const { url } = await startSite(t, { ...choices, change: lists => fewer({ ...lists, ...choices.change?.(lists) }) })
    const { directory } = freeDirectory(t)
    t.match(await run([url, directory, '--token', token, '--rate', '1000', '--images']), { code: 0, stderr: /^(?!.*keeps its URL)/s, stdout: /^\d+ bikes, \d+ featured, .* bikes of version 2\.1, \d+ images/ })
    t.equal(await check([directory], { stdout: { write: () => {} } }), 0)

    const targets: string[] = []
    for (const { key, path } of resources) {
      const [, kind = ''] = choices.wire?.pages?.[recordedFiles[key]] ?? []
      for (let target: string | undefined = path; target !== undefined;) {
        targets.push(target)
        const { next } = await (await fetch(url + target, { headers: { authorization: `Token ${token}` } })).json() as { next?: string | null }
        target = next?.slice(url.length)
      }
      if (choices.offsets !== undefined || ['cursor', 'data'].includes(kind)) continue // other queries have the links of page numbers, or the document
      targets.push(`${path}?page=1`)
      for (const field of ['title', 'brand', 'brand_name', 'year', 'rating']) if (choices.pageSize === undefined) targets.push(`${path}?ordering=${field}`, `${path}?ordering=-${field}`)
    }
    await assertSameBytes(t, url, directory, targets, token)
    for (const other of ['', 'invalid', 'Bearer other']) await assertSameBytes(t, url, directory, ['/api/v2/bikes/'], other)
  })
}

test('curl of one list into a folder, served', { skip }, async t => {
  const { url } = await startSite(t, sites['another name of the fitness fields'])
  const saddles = await (await fetch(`${url}/api/v1/saddles/`)).text()
  await assertSameBytes(t, url, t.testdir({ v1: { 'saddles.json': saddles } }), ['/api/v1/saddles/'])
})
