import { test } from 'tap'
import { launch, objections, open, overflow, serve } from './browser.ts'

const pages = [
  '/', '/changelog/', '/versioning/', '/tokens/', '/docs/', '/docs/schemas/',
  '/api/v1/bikes/?format=api', '/api/v1/bikes/featured/?format=api', '/api/v1/wheels/?format=api', '/api/v1/tyres/?format=api',
  '/api/v1/chains/?format=api', '/api/v1/groupsets/?format=api&page=2', '/api/v1/saddles/?format=api',
  '/api/v1/bikes/?format=api&page=3&page_size=1', '/api/v1/bikes/?format=api&page=99', '/api/v2/bikes/?format=api', '/nowhere/?format=api'
]

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`every page, ${width} pixels wide, ${colorScheme}`, async t => {
      const [origin, browser] = await Promise.all([serve(t), launch(t)])
      const { page, wrong } = await open(browser, { colorScheme, viewport: { width, height: 850 } })
      for (const path of pages) {
        await page.goto(origin + path, { waitUntil: 'networkidle' })
        t.same(wrong.splice(0), [], `${path} has no error`)
        t.equal(await overflow(page), 0, `${path} is not too wide`)
        await page.locator('details:not([open]) > summary').first().click({ timeout: 100 }).catch(() => {})
        t.same(await objections(page), [], `${path} is accessible`)
        t.equal(await overflow(page), 0, `${path} is not too wide when it is unfolded`)
      }
    })
  }
}
