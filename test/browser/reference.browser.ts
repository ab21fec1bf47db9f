import { test } from 'tap'
import { assertUsable, objections, visit } from './browser.ts'

test('the reference copies commands and leads to the page where a list can be tried', async t => {
  const options = { permissions: ['clipboard-read', 'clipboard-write'], viewport: { width: 390, height: 850 } }
  const { origin, page, wrong } = await visit(t, '/docs/', options)
  const bikes = page.locator('#listBikesV2')
  await bikes.getByText('Parameters', { exact: true }).click()
  await bikes.getByText('year__gte').waitFor()
  await assertUsable(t, page)

  await bikes.getByRole('button', { name: 'Copy the command' }).first().click()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), `curl -H "Authorization: Token $TOKEN" '${origin}/api/v2/bikes/'`)
  t.equal(await page.locator('.copied').innerText(), 'Copied')
  await page.locator('#listWheels').getByRole('link', { name: '/api/v1/wheels/' }).click()
  t.equal(page.url(), `${origin}/api/v1/wheels/?format=api`)
  t.same(wrong, [])
})

test('the contents of the reference mark the section in view', async t => {
  const { page, wrong } = await visit(t, '/docs/', { reducedMotion: 'reduce' })
  for (const name of ['Version 2.1', 'Headers', 'Parameters']) {
    const link = page.getByRole('navigation', { name: 'Reference' }).getByRole('link', { name, exact: true })
    await link.click()
    await page.locator('.contents [aria-current=location]', { hasText: name }).waitFor()
    t.equal(await page.locator('.contents [aria-current]').count(), 1)
  }
  t.same(await objections(page), [])
  await page.setViewportSize({ width: 390, height: 850 })
  await page.getByText('Contents', { exact: true }).click()
  await page.getByRole('navigation', { name: 'Reference' }).getByRole('link', { name: 'Headers' }).click()
  t.match(page.url(), /#headers$/)
  t.same(wrong, [])
})
