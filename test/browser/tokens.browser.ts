import { test } from 'tap'
import { assertUsable, visit } from './browser.ts'

for (const width of [1280, 390]) {
  test(`get a token by the form and use it, ${width} pixels wide`, async t => {
    const { page, wrong } = await visit(t, '/tokens/', { viewport: { width, height: 850 } })
    await page.getByLabel('Label').fill('a test')
    await page.getByRole('button', { name: 'Get a token' }).click()
    t.match(await page.locator('pre').first().innerText(), /^bct_/)
    await assertUsable(t, page)

    await page.getByRole('button', { name: 'Open the bikes of version 2.1' }).click()
    await page.getByText('Requested with the token').waitFor()
    t.match(await page.locator('.card .price').first().innerText(), /\d\.\d\d$/)
    await assertUsable(t, page)

    await page.getByText('Filters', { exact: true }).click()
    await page.evaluate("document.querySelector('.filters').scrollIntoView({ behavior: 'instant' })")
    const show = await page.getByRole('button', { name: 'Show', exact: true }).boundingBox()
    t.ok(show !== null && show.y > 0 && show.y + show.height <= 850, 'the button is in sight beside the filters')
    await page.getByLabel('Brand', { exact: true }).selectOption('Trek')
    await page.getByLabel('Year at least').fill('2023')
    await page.getByLabel('Search').fill('trek')
    await page.getByLabel('Ordering').selectOption('-price')
    await page.getByLabel('In pages').check()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(/brand=Trek/)
    t.equal(new URL(page.url()).search, '?format=api&search=trek&brand=Trek&year__gte=2023&ordering=-price&page=1')
    await page.getByText('Filters: 2 set').waitFor()
    t.ok((await page.locator('.card h3').allInnerTexts()).every(title => title.startsWith('Trek')))
    await assertUsable(t, page)

    await page.locator('.card .last a').first().click()
    await page.waitForURL(/page_size=1(?:&|#|$)/)
    t.match(await page.locator('#json').innerText(), '"price"')
    await page.goBack()
    await page.getByText('Filters: 2 set').waitFor()
    await page.getByRole('button', { name: 'Forget the token' }).click()
    await page.getByLabel('Token', { exact: true }).waitFor()
    t.same(wrong, [])
  })
}

test('an invalid token is reported, and a valid one typed in its place opens the list', async t => {
  const { page } = await visit(t, '/api/v2/bikes/?format=api')
  await page.getByLabel('Token', { exact: true }).fill('nonsense')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Invalid token.' }).waitFor()
  await page.getByLabel('Token', { exact: true }).fill('sekret')
  await page.keyboard.press('Enter')
  await page.getByText('Requested with the token').waitFor()
  t.equal(await page.locator('.card').count(), 10)
})
