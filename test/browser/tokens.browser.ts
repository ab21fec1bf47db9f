import { test } from 'tap'
import { developmentTokens } from '../../src/settings/settings.ts'
import { assertUsable, signIn, visit } from './browser.ts'

for (const width of [1280, 390]) {
  test(`get a token by the form and use it, ${width} pixels wide`, async t => {
    const { page, wrong } = await visit(t, '/tokens/', { viewport: { width, height: 850 } })
    await page.getByRole('button', { name: 'Get a token' }).click()
    await page.locator('pre').filter({ hasText: /^bct_/ }).waitFor()
    await assertUsable(t, page)

    await page.getByRole('button', { name: 'Open the bikes of version 2.1' }).click()
    await page.getByText('Sent with the token').waitFor()
    t.match(await page.locator('.records tbody tr').first().innerText(), /\d\.\d\d/)
    await assertUsable(t, page)

    await page.getByText('Filters', { exact: true }).click()
    await page.evaluate("document.querySelector('.filters').scrollIntoView({ behavior: 'instant' })")
    const send = await page.getByRole('button', { name: 'Send', exact: true }).boundingBox()
    t.ok(
      width > 400 || (send !== null && send.y > 0 && send.y + send.height <= 850),
      'the button is in sight below the filters'
    )
    await page.getByLabel('brand', { exact: true }).selectOption('Trek')
    await page.getByLabel('year__gte').fill('2023')
    await page.getByLabel('search').fill('trek')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.waitForURL(/brand=Trek/)
    await page.getByRole('link', { name: 'pages of 10', exact: true }).click()
    await page.waitForURL(/page=1/)
    t.equal(new URL(page.url()).search, '?format=api&search=trek&brand=Trek&year__gte=2023&page=1')
    const active = page.getByRole('list', { name: 'Active' }).getByRole('listitem')
    await active.first().waitFor()
    await page.getByRole('link', { name: 'price', exact: true }).click()
    await page.waitForURL(/ordering=price/)
    t.same(await active.locator('code').allInnerTexts(), [
      'ordering=price', 'search=trek', 'brand=Trek', 'year__gte=2023'
    ])
    t.equal(await page.locator('[aria-sort]').innerText(), 'price')
    t.ok(
      width > 400 || ((await page.locator('.records').boundingBox())?.y ?? 999) < 750,
      'records are in sight on a phone'
    )
    await assertUsable(t, page)

    await page.locator('.records tbody th a').first().click()
    await page.waitForURL(/page_size=1(?:&|#|$)/)
    t.match(await page.locator('.record').innerText(), /price\s+\d/)
    await page.getByRole('link', { name: 'JSON', exact: true }).click()
    t.match(await page.locator('#json').innerText(), '"price"')
    await assertUsable(t, page)
    await page.goBack()
    await page.locator('#table').waitFor()
    await page.goBack()
    await active.first().waitFor()
    await page.getByRole('button', { name: 'Forget the token' }).click()
    await page.getByLabel('Token', { exact: true }).fill('bct_ü') // which no header can have
    await page.getByRole('button', { name: 'Open the list' }).click()
    await page.locator('#token:focus:invalid').waitFor()
    t.same(wrong, [])
  })
}

test('an invalid token is reported, and a valid one typed in its place opens the list', async t => {
  const { page } = await visit(t, '/api/v2/bikes/?format=api')
  await page.getByLabel('Token', { exact: true }).fill('nonsense')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'This token is not valid' }).waitFor()
  await page.getByText('Check that it is complete.').waitFor()
  const field = page.getByLabel('Token', { exact: true })
  t.equal(await field.inputValue(), 'nonsense')
  t.equal(await field.getAttribute('aria-invalid'), 'true')
  await field.fill('sekret')
  await page.keyboard.press('Enter')
  await page.getByText('Sent with the token').waitFor()
  t.equal(await page.evaluate('document.activeElement.id'), 'main')
  t.equal(await page.locator('.records tbody tr').count(), 10)
})

test('on a slow network, a tab with a token says that it is loading, and asks for no token', async t => {
  const { origin, page } = await visit(t, '/', { permissions: ['clipboard-read', 'clipboard-write'] })
  await signIn(page)
  let release = () => {}
  const hold = () => new Promise<void>(resolve => { release = resolve })
  let held = hold()
  await page.route('**/api/v2/**', async route => {
    if (route.request().resourceType() === 'fetch') await held
    await route.continue()
  })
  await page.goto(`${origin}/api/v2/bikes/?format=api`)
  const busy = page.locator('main[aria-busy]')
  await busy.waitFor()
  t.equal(await page.getByText('Version 2.1 needs a token').isVisible(), false)
  t.match(await page.evaluate("getComputedStyle(document.querySelector('.head'), '::before').content"), 'Loading')
  release()
  await page.getByText('Sent with the token').waitFor()
  held = hold()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await busy.waitFor()
  t.equal(await page.evaluate("getComputedStyle(document.querySelector('main > .wrap')).opacity"), '0.5')
  release()
  await busy.waitFor({ state: 'detached' })
  await page.unroute('**/api/v2/**')
  await page.locator('.records tbody th a').first().click()
  await page.getByRole('link', { name: 'JSON', exact: true }).click()
  await page.getByRole('button', { name: 'Copy the JSON' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  t.match(await page.evaluate('navigator.clipboard.readText()'), /^\{\n {2}"count"[^]*"price"/)
})

test('the JSON of version 2.1 opens in a tab of its own, which the browser alone could not request', async t => {
  const { origin, page, wrong } = await visit(t, '/')
  await signIn(page)
  await page.goto(`${origin}/api/v2/bikes/?format=api&page=2`)
  await page.getByText('Sent with the token').waitFor()
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Open the JSON' }).click()
  const json = await (await opened).locator('pre').innerText()
  t.match(json, /^\{"count":48,/)
  t.same(wrong, [])
})

test('a link to a part of a page of version 2.1 shows it', async t => {
  const { origin, page, wrong } = await visit(t, '/')
  await signIn(page)
  await page.goto(`${origin}/api/v2/bikes/?format=api#headers`)
  await page.getByText('private, no-cache').waitFor()
  t.equal(await page.locator('.tabs [aria-current]').innerText(), 'Headers')
  t.notOk(await page.locator('#table').isVisible())
  t.same(wrong, [])
})

test('dev has a button that takes its token, and a page of it that opens the list', async t => {
  const { origin, page, wrong } = await visit(t, '/api/v2/bikes/?format=api', {}, { tokens: developmentTokens })
  await assertUsable(t, page)
  await page.getByRole('button', { name: 'Use the token dev' }).click()
  await page.getByText('an array of 48').waitFor()
  await page.getByRole('button', { name: 'Forget the token' }).click()
  await page.getByRole('heading', { name: 'Version 2.1 needs a token' }).waitFor()
  await page.goto(`${origin}/tokens/`)
  await assertUsable(t, page)
  await page.getByRole('button', { name: 'Open the bikes of version 2.1' }).click()
  await page.getByText('an array of 48').waitFor()
  t.same(wrong, [])
})
