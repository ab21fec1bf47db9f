import { test } from 'tap'
import { assertUsable, objections, overflow, visit } from './browser.ts'

const pages = [
  '/', '/changelog/', '/versioning/', '/tokens/', '/docs/', '/docs/schemas/',
  '/api/v1/bikes/?format=api', '/api/v1/bikes/featured/?format=api', '/api/v1/wheels/?format=api', '/api/v1/tyres/?format=api',
  '/api/v1/chains/?format=api', '/api/v1/groupsets/?format=api&page=2', '/api/v1/saddles/?format=api',
  '/api/v1/bikes/?format=api&page=3&page_size=1', '/api/v1/bikes/?format=api&page=99', '/api/v2/bikes/?format=api', '/nowhere/?format=api', '/api/v1/bikes/?format=api&ordering=title'
]

// The last one more than the limit lets through is 429.
const lists = pages.filter(path => path.startsWith('/api/v1/'))

for (const width of [1280, 390, 320]) {
  test(`every page, ${width} pixels wide, in light and in dark colours`, async t => {
    const { origin, page, wrong } = await visit(t, { viewport: { width, height: 850 }, reducedMotion: 'reduce' }, { rateLimit: true, rateLimitV1: lists.length - 1 })
    for (const path of pages) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(origin + path)
      t.equal(await overflow(page), 0, `${path} is not too wide`)
      const folded = page.locator('details:not([open]) > summary')
      if (await folded.count() > 0) await folded.first().click()
      await assertUsable(t, page)
      await page.emulateMedia({ colorScheme: 'dark' })
      t.same(await objections(page, ['color-contrast', 'link-in-text-block', 'target-size']), [], `${path} is accessible in dark colours`)
      t.same(wrong.splice(0), [], `${path} has no error`)
    }
    t.equal(await page.title(), '429 Too Many Requests · Bicycle Catalogue')
  })
}
