import { test } from 'tap'
import { launch, objections, open, overflow, serve } from './browser.ts'

test('the reference shows the answer and the command of what is tried, and copies it', async t => {
  const [origin, browser] = await Promise.all([serve(t), launch(t)])
  const { page, wrong } = await open(browser, { permissions: ['clipboard-read', 'clipboard-write'], viewport: { width: 390, height: 850 } })
  await page.goto(`${origin}/docs/`)
  const wheels = page.locator('#listWheels')
  await wheels.getByText('Parameters').click()
  await wheels.getByLabel('page', { exact: true }).fill('2')
  await wheels.getByLabel('Prefer').fill('handling=strict')
  await wheels.getByRole('button', { name: 'Try it' }).click()
  await wheels.getByText('200 OK').waitFor()
  await wheels.getByRole('button', { name: 'Copy the command that was sent' }).click()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), `curl -H 'Prefer: handling=strict' '${origin}/api/v1/wheels/?page=2'`)

  const tokens = page.locator('#issueToken')
  await tokens.getByLabel('label').fill('a test')
  await tokens.getByRole('button', { name: 'Try it' }).click()
  await tokens.getByText('200 OK').waitFor()
  t.equal(await tokens.locator('.answer .command pre').innerText(), `curl --data-urlencode 'label=a test' '${origin}/tokens/'`)

  const bikes = page.locator('#listBikesV2')
  await bikes.getByRole('button', { name: 'Try it' }).click()
  await bikes.getByText('200 OK').waitFor()
  t.equal(await bikes.locator('.answer .command pre').innerText(), `curl -H "Authorization: Token $TOKEN" '${origin}/api/v2/bikes/'`)
  t.same(await objections(page), [])
  t.equal(await overflow(page), 0)
  t.same(wrong, [])
})
