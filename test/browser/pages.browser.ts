import { test } from 'tap'
import { assertUsable, layoutShift, objections, overflow, serve, signIn, visit } from './browser.ts'

const pages = [
  '/', '/changelog/', '/versioning/', '/tokens/', '/docs/', '/docs/reference/settings/',
  '/docs/guides/simulate/', '/__simulate',
  '/api/v1/bikes/?format=api', '/api/v1/bikes/featured/?format=api',
  '/api/v1/wheels/?format=api', '/api/v1/tyres/?format=api',
  '/api/v1/chains/?format=api', '/api/v1/groupsets/?format=api&page=2', '/api/v1/saddles/?format=api',
  '/api/v1/bikes/?format=api&page=3&page_size=1', '/api/v1/wheels/?format=api&page=3&page_size=1',
  '/api/v1/bikes/?format=api&page=99', '/api/v1/bikes/?format=api&rows=11#json',
  '/api/v1/bikes/?format=api&ordering=-title#headers', '/api/v1/bikes/?format=api&page=2#code',
  '/api/v2/bikes/?format=api',
  '/api/v1/bikes/7/?format=api', '/docs/nowhere/', '/docs/reference/http-api/', '/nowhere/?format=api'
]

for (const width of [1280, 390, 320]) {
  test(`every page, ${width} pixels wide, in light and in dark colours`, async t => {
    const { origin, page, wrong } = await visit(
      t,
      '/',
      { viewport: { width, height: 850 }, reducedMotion: 'reduce' },
      { simulate: true }
    )
    const limited = await serve(t, { rateLimit: true, rateLimitV1: 1 })
    for (const url of [...pages.map(path => origin + path), `${limited}/api/v1/bikes/?format=api`]) {
      if (url.startsWith(limited)) await fetch(url)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(url)
      t.equal(await overflow(page), 0, `${url} is not too wide`)
      t.equal(await page.evaluate(layoutShift), 0, `${url} does not shift`)
      const folded = page.locator('details:not([open]) > summary:visible')
      if (await folded.count() > 0) await folded.first().click()
      await assertUsable(t, page)
      await page.emulateMedia({ colorScheme: 'dark' })
      t.same(
        await objections(page, ['color-contrast', 'link-in-text-block', 'target-size']),
        [],
        `${url} is accessible in dark colours`
      )
      t.same(wrong.splice(0), [], `${url} has no error`)
    }
    t.equal(await page.title(), '429 Too Many Requests · Bicycle Catalogue')
    await signIn(page)
    for (const query of ['brand=Trek&ordering=-price', 'page=3&page_size=1', 'brand=Trek&year__gte=abc&page=1']) {
      await page.goto(`${origin}/api/v2/bikes/?format=api&${query}`)
      await page.getByText(query.includes('abc') ? 'These parameters are invalid' : 'Sent with the token').waitFor()
      await assertUsable(t, page)
    }
  })
}
