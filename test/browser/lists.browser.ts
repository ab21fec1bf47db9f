import { test } from 'tap'
import type { Page } from 'playwright-core'
import { resources } from '../../src/lists/resources.ts'
import { objections, signIn, tabTo, visit } from './browser.ts'

const showsSummary = (page: Page, text: string) => page.locator('.result').filter({ hasText: text }).waitFor()
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click()

test('by mouse: order a list, page through it, follow a bike to its wheels and to a similar bike', async t => {
  const { page, wrong } = await visit(t, '/')
  await page.getByRole('link', { name: 'Browse the bikes' }).click()
  const title = page.getByRole('link', { name: 'title', exact: true })
  await title.click()
  await page.locator('th[aria-sort=ascending]').waitFor()
  await title.click()
  await page.locator('th[aria-sort=descending]').waitFor()
  await page.getByRole('link', { name: 'pages of 10', exact: true }).click()
  await page.waitForURL(({ search }) => search === '?format=api&ordering=-title&page=1')
  t.match(await page.locator('.records tbody tr').first().innerText(), 'Trek')
  await page.getByRole('link', { name: 'Page 2' }).click()
  await showsSummary(page, 'page 2 of 5; records 11–20 of 48')
  await page.getByLabel('Go to page').fill('5')
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await showsSummary(page, 'page 5 of 5; records 41–48 of 48')
  await page.getByLabel('Go to page').fill('1')
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await showsSummary(page, 'page 1 of 5')

  await page.locator('.records tbody th a').nth(1).click()
  await showsSummary(page, 'record 2 of 48')
  const wheels = page.getByRole('row', { name: /^wheels\.id/ }).getByRole('link')
  const name = await wheels.getAttribute('title') ?? ''
  await wheels.click()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await page.goBack()
  const similar = page.getByRole('row', { name: /^similar_bikes\[0\]/ }).getByRole('link')
  const bike = await similar.getAttribute('title') ?? ''
  await similar.click()
  await page.getByRole('heading', { level: 1, name: bike, exact: true }).waitFor()
  await page.getByRole('link', { name: 'JSON', exact: true }).click()
  t.match(await page.locator('#json').innerText(), bike)
  t.same(wrong, [])
})

test('the next rows of an array leave its request as it is; pages are other requests', async t => {
  const { page, wrong } = await visit(t, '/api/v1/bikes/?format=api')
  const request = page.locator('.line code')
  await showsSummary(page, 'an array of 48; rows 1–10')
  await page.getByRole('link', { name: 'Rows 11–20' }).click()
  await showsSummary(page, 'an array of 48; rows 11–20')
  t.equal(await request.innerText(), 'GET /api/v1/bikes/')
  await page.getByLabel('Go to row').fill('41')
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await showsSummary(page, 'an array of 48; rows 41–48')
  await page.getByRole('link', { name: 'pages of 20', exact: true }).click()
  await showsSummary(page, 'page 1 of 3; records 1–20 of 48')
  t.equal(await request.innerText(), 'GET /api/v1/bikes/?page=1&page_size=20')
  await page.getByRole('link', { name: 'all records', exact: true }).click()
  await showsSummary(page, 'an array of 48')
  t.same(wrong, [])
})

test('the URL of the request changes with the form, and what was typed stays when pages are chosen', async t => {
  const { origin, page, wrong } = await visit(t, '/')
  await signIn(page)
  await page.goto(`${origin}/api/v2/bikes/?format=api`)
  const request = page.locator('.line code')
  await page.getByLabel('search').fill('trek')
  t.equal(await request.innerText(), 'GET /api/v2/bikes/?search=trek')
  await page.getByLabel('ordering').selectOption('-price')
  t.equal(await request.innerText(), 'GET /api/v2/bikes/?search=trek&ordering=-price')
  await page.getByRole('link', { name: 'pages of 20', exact: true }).click()
  await page.waitForURL(({ search }) => search === '?format=api&search=trek&ordering=-price&page=1&page_size=20')
  await showsSummary(page, 'page 1 of 1')
  await page.getByLabel('ordering').selectOption('')
  await send(page)
  await page.waitForURL(({ search }) => search === '?format=api&page=1&page_size=20&search=trek')
  t.same(wrong, [])
})

const panels = ['table', 'json', 'headers', 'code']

test('tabs show one part of a response, without and with a script, and do not scroll; paper has all', async t => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, wrong } = await visit(t, '/api/v1/bikes/?format=api', { javaScriptEnabled })
    const visible = async () => {
      const all = await Promise.all(panels.map(async id => await page.locator(`#${id}`).isVisible() ? id : ''))
      return all.filter(Boolean)
    }
    t.same(await visible(), ['table'])
    for (const [name, id] of [
      ['JSON', 'json'], ['Headers', 'headers'], ['curl, fetch, Python', 'code'], ['Table', 'table']
    ] as const) {
      const tab = page.getByRole('link', { name, exact: true })
      await tab.click()
      await page.locator(`#${id}`).waitFor()
      t.same(await visible(), [id], name)
      t.equal((await page.locator('.tabs').boundingBox())?.y ?? 0, (await tab.boundingBox())?.y, name)
      if (javaScriptEnabled) t.equal(await page.locator('.tabs [aria-current]').innerText(), name)
    }
    t.ok(((await page.locator('h1').boundingBox())?.y ?? -1) > 0, 'the page is not scrolled')
    await page.getByRole('link', { name: 'JSON', exact: true }).click()
    await page.getByRole('link', { name: 'Open the whole response' }).waitFor()
    await page.emulateMedia({ media: 'print' })
    t.same(await visible(), panels)
    t.same(wrong, [])
  }
})

/** Tells whether the focus ring of the active element reaches beyond its parent. */
const isRingClipped = `(() => {
  const active = document.activeElement
  const ring = active.getBoundingClientRect()
  const parent = active.parentElement.getBoundingClientRect()
  const { outlineWidth, outlineOffset } = getComputedStyle(active)
  const width = parseFloat(outlineWidth) + parseFloat(outlineOffset)
  const distances = [
    parent.top - ring.top, ring.bottom - parent.bottom,
    parent.left - ring.left, ring.right - parent.right
  ]
  return distances.some(pixels => pixels + width > 0)
})()`

test('by keyboard: skip to the content, order a list, and follow a link; the focus can be seen', async t => {
  const { page, wrong } = await visit(t, '/api/v1/wheels/?format=api')
  t.ok(await tabTo(page, '.skip'))
  await page.keyboard.press('Enter')
  await page.locator('#main:focus').waitFor()
  t.ok(await tabTo(page, '.records thead a'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/ordering=brand_name/)
  t.ok(await tabTo(page, '.records tbody th a'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/page_size=1$/)
  t.ok(await tabTo(page, '.tabs [href="#json"]'))
  await page.keyboard.press('Enter')
  await page.locator('#json').waitFor()
  t.ok(await tabTo(page, '#json pre'))
  t.same(wrong, [])
  await page.setViewportSize({ width: 320, height: 700 })
  for (const link of await page.locator('.chips a').all()) {
    await link.focus()
    t.notOk(await page.evaluate(isRingClipped), await link.innerText())
  }
})

test('with scripts switched off a list is ordered and paged, and a token is issued', async t => {
  const { origin, page, wrong } = await visit(t, '/api/v1/bikes/?format=api', { javaScriptEnabled: false })
  t.equal(await page.locator('.copy').count(), 0)
  await page.getByLabel('ordering').selectOption('title')
  await send(page)
  await page.waitForURL(({ search }) => search === '?format=api&ordering=title')
  t.match(await page.locator('.records tbody tr').first().innerText(), '3T')
  t.equal(await page.locator('.line code').innerText(), 'GET /api/v1/bikes/?ordering=title')
  await page.getByRole('link', { name: 'pages of 10', exact: true }).click()
  await page.getByRole('link', { name: 'Page 2' }).click()
  await showsSummary(page, 'page 2 of 5')
  await page.getByRole('link', { name: 'Headers', exact: true }).click()
  await page.getByText('public, max-age=120').waitFor()
  await page.goto(`${origin}/api/v2/bikes/?format=api`)
  t.notOk(await page.locator('[data-token]').isVisible())
  await page.getByRole('link', { name: 'Get a token', exact: true }).click()
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.locator('pre').filter({ hasText: /^bct_/ }).waitFor()
  await page.goto(`${origin}/docs/`)
  t.notOk(await page.locator('#filter').isVisible())
  t.same(wrong, [])
})

test('on a phone an active filter is removed, and each list begins above 650 pixels', async t => {
  const phone = { viewport: { width: 390, height: 850 }, reducedMotion: 'reduce' } as const
  const { origin, page, wrong } = await visit(t, '/api/v1/bikes/?format=api', phone, { simulate: true })
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

test('the JSON of a record or an error is copied, also code of a document; a long list has a link', async t => {
  const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }
  const { origin, page, wrong } = await visit(t, '/api/v1/bikes/?format=api&page=2#json', clipboard)
  const copied = async (what = 'JSON') => {
    await page.getByRole('button', { name: `Copy the ${what}` }).first().click()
    await page.getByText('Copied', { exact: true }).waitFor()
    return await page.evaluate('navigator.clipboard.readText()') as string
  }
  const whole = await page.getByRole('link', { name: 'Open the whole response' }).getAttribute('href') ?? ''
  t.equal(new URL(whole, origin).search, '?page=2&format=json')
  await page.getByRole('link', { name: 'Table', exact: true }).click()
  await page.locator('.records tbody th a').first().click()
  await page.getByRole('link', { name: 'JSON', exact: true }).click()
  t.same(JSON.parse(await copied()), await (await fetch(`${origin}/api/v1/bikes/?page=11&page_size=1`)).json())
  await page.goto(`${origin}/api/v1/bikes/?format=api&page=99`)
  t.same(JSON.parse(await copied()), { detail: 'Invalid page.' })
  await page.goto(`${origin}/docs/`)
  const contents = page.getByRole('navigation', { name: 'Contents' })
  await contents.getByRole('link', { name: 'Simulate failures' }).click()
  await page.getByRole('heading', { name: 'Simulate failures', level: 1 }).waitFor()
  t.equal(await copied('code'), await page.locator('[data-copy]').first().innerText())
  t.same(wrong, [])
})

test('the contents of a reference are filtered', async t => {
  const { page, wrong } = await visit(t, '/docs/reference/http-api/')
  const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link')
  const all = await links.count()
  t.ok(all > 50, `${all} links`)
  const filter = page.getByLabel('Filter the contents')
  await filter.fill('Brake')
  t.same(await links.allInnerTexts(), ['GET /api/v1/brakes/', 'Brake', 'DetailedBrake'])
  t.equal(await page.getByRole('heading', { name: 'Guides', exact: true }).isVisible(), false)
  t.same(await objections(page), [])
  await filter.fill('')
  t.equal(await links.count(), all)
  t.same(wrong, [])
})

test('without a clipboard a command is selected, and an image that cannot be loaded becomes the logo', async t => {
  const { origin, page, wrong } = await visit(t, '/')
  // As over HTTP from another machine.
  await page.addInitScript("Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })")
  await page.goto(`${origin}/api/v1/brakes/?format=api#code`)
  await page.getByRole('button', { name: 'Copy the curl snippet' }).click()
  await page.getByRole('button', { name: 'Selected: press Ctrl+C', exact: true }).waitFor()
  t.equal(await page.evaluate('String(getSelection())'), `curl '${origin}/api/v1/brakes/'`)
  await page.getByRole('button', { name: 'Copy the curl snippet' }).waitFor()
  t.same(wrong, [])
  await page.route(
    '**/thumbnails/**',
    (route, request) => request.url().includes('canyon') ? route.abort() : route.continue()
  )
  await page.goto(`${origin}/api/v1/bikes/?format=api`)
  await page.locator('.records .blank').first().waitFor()
  t.match(await page.getByRole('row').filter({ has: page.locator('.blank') }).first().innerText(), 'Canyon')
  t.ok(await page.locator('.records td > img').count() > 5, 'others stay')
  t.same(await objections(page), [])
})

const inPrint = [
  '/', '/docs/', '/tokens/', '/__simulate', '/api/v1/bikes/?format=api&page=2', '/api/v2/bikes/?format=api'
]

const notPrinted = ['nav', 'form', 'button', '.button', '.skip'].map(selector => `${selector}:visible`).join()

/** Counts the headings that what follows them covers. */
const coveredHeadings = `[...document.querySelectorAll('main :is(h2, h3) + *')].filter(next => {
  const text = document.createRange()
  text.selectNodeContents(next.previousElementSibling)
  const [heading, { x, y, height }] = [text.getBoundingClientRect(), next.getBoundingClientRect()]
  return height > 0 && x <= heading.x && y < heading.bottom - 1
}).length`

/** Counts the pieces of JSON that the button which copies it covers. */
const coveredText = `[...document.querySelectorAll('#json pre *')].filter(piece => {
  const button = document.querySelector('#json .copy').getBoundingClientRect()
  return [...piece.getClientRects()].some(({ top, right }) => right > button.left && top < button.bottom)
}).length`

const cutTables = `[...document.querySelectorAll('.scroll')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length`

test('lists of version 1 show all columns at 1280 pixels, and no JSON is below the button that copies it', async t => {
  const { origin, page } = await visit(t, '/')
  for (const { path, access } of resources) {
    if (access === 'token') continue
    await page.goto(`${origin}${path}?format=api`)
    t.equal(await page.evaluate(cutTables), 0, path)
  }
  await page.setViewportSize({ width: 390, height: 850 })
  await page.goto(`${origin}/api/v1/bikes/?format=api&page=99`)
  t.ok(await page.locator('#json .copy').isVisible())
  t.equal(await page.evaluate(coveredText), 0)
})

test('paper has no navigation, forms and buttons, is light, and shows each heading', async t => {
  const { origin, page } = await visit(t, '/', { colorScheme: 'dark' }, { simulate: true })
  for (const path of inPrint) {
    await page.goto(origin + path)
    await page.emulateMedia({ media: 'print' })
    t.equal(await page.locator(notPrinted).count(), 0, path)
    t.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)', path)
    t.equal(await page.evaluate(coveredHeadings), 0, `${path} has no heading below what follows it`)
    await page.setViewportSize({ width: 680, height: 1000 }) // A4
    t.equal(await page.evaluate(cutTables), 0, `${path} has whole tables`)
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
  await showsSummary(page, 'an array of 48')
  t.same(wrong, [])
  await page.route('**/api/v2/**', route => route.abort())
  await send(page)
  await page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' }).waitFor()
  t.equal(await page.locator('main').getAttribute('aria-busy'), null)
  t.same(await objections(page), [])
  await page.unroute('**/api/v2/**')
  await send(page)
  await page.getByRole('alert').waitFor({ state: 'detached' })
})
