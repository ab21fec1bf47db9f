import { test } from 'tap'
import type { Page } from 'playwright-core'
import { resources } from '../../src/lists/resources.ts'
import { objections, signIn, tabTo, visit } from './browser.ts'

const showsPage = (page: Page, text: string) => page.locator('.pages').filter({ hasText: text }).waitFor()

test('by mouse: order a list, page through it, follow a bike to its wheels and to a similar bike', async t => {
  const { page, wrong } = await visit(t, '/')
  await page.getByRole('link', { name: 'Browse the bikes' }).click()
  const title = page.getByRole('link', { name: 'title', exact: true })
  await title.click()
  await page.locator('th[aria-sort=ascending]').waitFor()
  await title.click()
  await page.locator('th[aria-sort=descending]').waitFor()
  await page.getByLabel('Pages of').check()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.waitForURL(({ search }) => search === '?format=api&ordering=-title&page=1')
  t.match(await page.locator('.records tbody tr').first().innerText(), 'Trek')
  await page.getByRole('link', { name: 'Next' }).click()
  await showsPage(page, 'Page 2 of 5')
  await page.getByLabel('Go to').fill('5')
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await showsPage(page, 'Page 5 of 5')
  await page.getByLabel('Go to').fill('1')
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await showsPage(page, 'Page 1 of 5')

  await page.locator('.records tbody th a').nth(1).click()
  await showsPage(page, 'Record 2 of 48')
  const wheels = page.getByRole('row', { name: /^wheels\.id/ }).getByRole('link')
  const name = await wheels.getAttribute('title') ?? ''
  await wheels.click()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await page.goBack()
  const similar = page.getByRole('row', { name: /^similar_bikes\[0\]/ }).getByRole('link')
  const bike = await similar.getAttribute('title') ?? ''
  await similar.click()
  await page.getByRole('heading', { level: 1, name: bike, exact: true }).waitFor()
  t.match(await page.locator('#json').innerText(), bike)
  t.same(wrong, [])
})

test('a list in larger pages and whole again: only pages have a size, in the form and in the address', async t => {
  const { page, wrong } = await visit(t, '/api/v1/brakes/?format=api')
  const show = page.getByRole('button', { name: 'Show', exact: true })
  await page.getByLabel('Pages of').check()
  await page.getByLabel('Records a page').selectOption('20')
  await show.click()
  await page.waitForURL('**/?format=api&page=1&page_size=20')
  t.equal(await page.getByLabel('Records a page').inputValue(), '20')
  t.ok(await page.evaluate("document.querySelector('.extent').offsetHeight < 45"), 'in one line')
  t.not(await page.evaluate("getComputedStyle(document.querySelector('[type=checkbox]')).accentColor"), 'auto', 'the checkbox has the accent')
  await page.getByLabel('Pages of').uncheck()
  await show.click()
  await page.waitForURL('**/?format=api')
  t.notOk(await page.getByLabel('Pages of').isChecked())
  t.same(wrong, [])
})

/** Tells whether the focus ring of the active element reaches beyond its parent. */
const isRingClipped = `(() => {
  const [ring, parent] = [document.activeElement, document.activeElement.parentElement].map(element => element.getBoundingClientRect())
  const { outlineWidth, outlineOffset } = getComputedStyle(document.activeElement)
  const width = parseFloat(outlineWidth) + parseFloat(outlineOffset)
  return [parent.top - ring.top, ring.bottom - parent.bottom, parent.left - ring.left, ring.right - parent.right].some(pixels => pixels + width > 0)
})()`

test('by keyboard: skip to the content, order a list, and follow a link; the focus can be seen, also of each list in a narrow navigation', async t => {
  const { page, wrong } = await visit(t, '/api/v1/wheels/?format=api')
  t.ok(await tabTo(page, '.skip'))
  await page.keyboard.press('Enter')
  await page.locator('#main:focus:not(:has(.chips))').waitFor()
  t.ok(await tabTo(page, '.records thead a'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/ordering=brand_name/)
  t.ok(await tabTo(page, '.records tbody th a'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/page_size=1$/)
  t.ok(await tabTo(page, '#json pre'))
  t.same(wrong, [])
  await page.setViewportSize({ width: 320, height: 700 })
  for (const link of await page.locator('.chips a').all()) {
    await link.focus()
    t.notOk(await page.evaluate(isRingClipped), await link.innerText())
  }
})

test('with scripts switched off a list is ordered and paged, headers unfold, and a token is issued', async t => {
  const { origin, page, wrong } = await visit(t, '/api/v1/bikes/?format=api', { javaScriptEnabled: false })
  t.equal(await page.locator('.copy').count(), 0)
  await page.getByRole('link', { name: 'title', exact: true }).click()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.waitForURL(({ search }) => search === '?format=api&ordering=title&page_size=')
  t.match(await page.locator('.records tbody tr').first().innerText(), '3T')
  t.equal(await page.locator('.ask code').innerText(), 'GET /api/v1/bikes/?ordering=title')
  await page.getByRole('link', { name: 'Next →' }).click()
  await showsPage(page, 'Page 2 of 5')
  await page.locator('.exchange summary').click()
  await page.getByText('public, max-age=120').last().waitFor()
  await page.goto(`${origin}/api/v2/bikes/?format=api`)
  t.notOk(await page.locator('[data-token]').isVisible())
  await page.getByRole('link', { name: 'get a token', exact: true }).click()
  await page.getByLabel('Label').fill('a test')
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.locator('pre').filter({ hasText: /^bct_/ }).waitFor()
  t.same(wrong, [])
})

test('on a phone the JSON is one click away, an active filter is removed, and each list begins above 650 pixels', async t => {
  const phone = { viewport: { width: 390, height: 850 }, reducedMotion: 'reduce' } as const
  const { origin, page, wrong } = await visit(t, '/api/v1/bikes/?format=api', phone, { simulate: true })
  await page.getByRole('link', { name: 'JSON below' }).click()
  await page.waitForFunction("document.querySelector('#json').getBoundingClientRect().top < innerHeight")
  await signIn(page)
  await page.goto(`${origin}/api/v2/bikes/?format=api&price__lte=4000&ordering=-rating`)
  await page.getByRole('list', { name: 'Active' }).waitFor()
  await page.getByRole('link', { name: 'Remove price__lte=4000' }).click()
  await page.waitForURL('**/?format=api&ordering=-rating')
  for (const { path } of resources) {
    await page.goto(`${origin}${path}?format=api`)
    await page.getByRole('region', { name: 'Records' }).waitFor()
    const box = await page.locator('.records').boundingBox()
    t.ok(box !== null && box.y < 650, `${path} begins at ${box?.y}`)
  }
  t.same(wrong, [])
})

test('the JSON of a record and of an error is copied, and the code of a document; the JSON of a long list is a link', async t => {
  const { origin, page, wrong } = await visit(t, '/api/v1/bikes/?format=api&page=2', { permissions: ['clipboard-read', 'clipboard-write'] })
  const copied = async (what = 'JSON') => {
    await page.getByRole('button', { name: `Copy the ${what}` }).first().click()
    await page.getByText('Copied', { exact: true }).waitFor()
    return await page.evaluate('navigator.clipboard.readText()') as string
  }
  t.equal(new URL(await page.getByRole('link', { name: 'Open the whole response' }).getAttribute('href') ?? '', origin).search, '?page=2&format=json')
  await page.locator('.records tbody th a').first().click()
  t.same([JSON.parse(await copied())], (await (await fetch(`${origin}/api/v1/bikes/?page=11&page_size=1`)).json() as { results: unknown }).results)
  await page.goto(`${origin}/nowhere/?format=api`)
  t.same(JSON.parse(await copied()), { detail: 'Not found.' })
  await page.goto(`${origin}/docs/`)
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Simulate failures' }).click()
  await page.getByRole('heading', { name: 'Simulate failures', level: 1 }).waitFor()
  t.equal(await copied('code'), await page.locator('[data-copy]').first().innerText())
  t.same(wrong, [])
})

test('without a clipboard a command is selected, and an image that cannot be loaded becomes the logo', async t => {
  const { origin, page, wrong } = await visit(t, '/')
  await page.addInitScript("Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })") // as over HTTP from another machine
  await page.goto(`${origin}/api/v1/brakes/?format=api`)
  await page.getByRole('button', { name: 'Copy the command' }).click()
  await page.getByRole('button', { name: 'Selected: press Ctrl+C', exact: true }).waitFor()
  t.equal(await page.evaluate('String(getSelection())'), `curl '${origin}/api/v1/brakes/'`)
  await page.getByRole('button', { name: 'Copy the command' }).waitFor()
  t.same(wrong, [])
  await page.route('**/thumbnails/**', (route, request) => request.url().includes('canyon') ? route.abort() : route.continue())
  await page.goto(`${origin}/api/v1/bikes/?format=api`)
  await page.locator('.records .blank').first().waitFor()
  t.match(await page.getByRole('row').filter({ has: page.locator('.blank') }).first().innerText(), 'Canyon')
  t.ok(await page.locator('.records td > img').count() > 5, 'others stay')
  t.same(await objections(page), [])
})

test('paper has no navigation, forms and buttons, is light, and shows each heading', async t => {
  const { origin, page } = await visit(t, '/', { colorScheme: 'dark' }, { simulate: true })
  for (const path of ['/', '/docs/', '/tokens/', '/__simulate', '/api/v1/bikes/?format=api&page=2', '/api/v2/bikes/?format=api']) {
    await page.goto(origin + path)
    await page.emulateMedia({ media: 'print' })
    t.equal(await page.locator('nav:visible, form:visible, button:visible, .button:visible, .skip:visible').count(), 0, path)
    t.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)', path)
    const covered = `[...document.querySelectorAll('main :is(h2, h3):not(.hidden) + *')].filter(next => {
      const text = document.createRange()
      text.selectNodeContents(next.previousElementSibling)
      const [heading, { x, y, height }] = [text.getBoundingClientRect(), next.getBoundingClientRect()]
      return height > 0 && x <= heading.x && y < heading.bottom - 1
    }).length`
    t.equal(await page.evaluate(covered), 0, `${path} has no heading below what follows it`)
    await page.setViewportSize({ width: 680, height: 1000 }) // A4
    const cut = "[...document.querySelectorAll('.scroll')].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length"
    t.equal(await page.evaluate(cut), 0, `${path} has whole tables`)
    await page.emulateMedia({ media: 'screen' })
  }
})

test('a search without results leads back to all records', async t => {
  const { origin, page, wrong } = await visit(t, '/')
  await signIn(page)
  await page.goto(`${origin}/api/v2/bikes/?format=api&search=zzzz`)
  await page.getByText('No record matches.').waitFor()
  await page.getByText('Filters', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Show all records' }).click()
  await page.getByText('48 records. ').waitFor()
  t.same(wrong, [])
  await page.route('**/api/v2/**', route => route.abort())
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' }).waitFor()
  t.equal(await page.locator('main').getAttribute('aria-busy'), null)
  t.same(await objections(page), [])
  await page.unroute('**/api/v2/**')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
})
