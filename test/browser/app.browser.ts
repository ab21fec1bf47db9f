import { readFileSync } from 'node:fs'
import { test, type Test } from 'tap'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { serve } from '../helper.ts'
import { assertUsable, overflow, visit } from './browser.ts'

const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }

/** Serves examples/app from an origin of its own, and opens it. */
async function start (t: Test, options: BrowserContextOptions = {}) {
  const app = await serve(t, ({ url = '' }, answer) => {
    const file = url.startsWith('/?') ? 'index.html' : url.slice(1)
    answer.setHeader('content-type', types[file.split('.').at(-1) ?? ''] ?? '').end(
      readFileSync(`examples/app/${file}`)
    )
  })
  const { origin, page, wrong } = await visit(t, '/', options, { simulate: true })
  await page.goto(`${app}/?server=${encodeURIComponent(origin)}`)
  return { page, wrong }
}

const says = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor()
const ask = async (page: Page, prefer: string) => {
  await page.getByLabel('Prefer').fill(prefer)
  await page.getByRole('button', { name: 'Load' }).click()
}

test('the example app lists, orders, pages and shows bikes, from another origin', async t => {
  const { page, wrong } = await start(t)
  await says(page, '48 bikes')
  t.equal(await page.locator('#bikes li').count(), 10)
  await page.getByLabel('Ordering').selectOption('-title')
  await page.locator('#bikes li').first().getByText(/^Trek .* \d{4}$/).first().waitFor()
  for (const [index, number] of [2, 3, 4, 5, 4, 3, 2, 1].entries()) {
    await page.getByRole('button', { name: index < 4 ? 'Next' : 'Previous' }).click()
    await page.getByText(`Page ${number}`, { exact: true }).waitFor()
  }
  t.equal(await page.locator('#bikes li').count(), 10)
  await page.locator('#bikes li').first().click()
  t.match(await page.getByRole('dialog').innerText(), /Trek[^]*Brand[^]*Wheels/)
  t.notMatch(await page.getByRole('dialog').innerText(), 'Price')
  await page.getByRole('button', { name: 'Close' }).click()

  await page.getByLabel('Token').fill('sekret')
  await page.getByRole('button', { name: 'Load' }).click()
  await says(page, '48 bikes')
  await page.locator('#bikes li').first().click()
  t.match(await page.getByRole('dialog').innerText(), 'Price')
  t.same(wrong, [])
})

const troubles: [prefer: string, message: string][] = [
  ['code=401', 'This list needs a valid token.'],
  ['code=403', 'This token may not read the list.'],
  ['code=404', 'There is no such page.'],
  ['code=415', 'The server rejected the request (415).'],
  ['code=500', 'The server failed (500).'],
  ['code=429, retry-after=60', 'The server is busy. Retrying in 60 s.'],
  ['code=503, retry-after=3600', 'The server is busy. Try again later.'],
  ['fault=reset', 'The server cannot be reached.'],
  ['fault=empty', 'The server cannot be reached.'],
  ['fault=truncate', 'The response broke off.'],
  ['fault=malformed', 'The response is not valid JSON.'],
  ['delay=30000', 'There was no response within 5 seconds.'],
  ['fault=drip, delay=30000', 'There was no response within 5 seconds.'],
  ['fault=drip, delay=500', '48 bikes'],
  ['example=empty', '0 bikes'],
  ['example=odd', '1 bike']
]

test('the example app says what is wrong, and asks a busy server again', async t => {
  const { page } = await start(t)
  for (const [prefer, message] of troubles) {
    await ask(page, prefer)
    await says(page, message)
    t.equal(await page.getByRole('status').innerText(), message, prefer)
  }
  await ask(page, 'code=503, retry-after=1')
  await says(page, 'Retrying in 1 s.')
  await page.getByLabel('Prefer').fill('')
  await says(page, '48 bikes')
})

test('the button of the example app stands beside a field at any width, and is usable on a phone', async t => {
  const { page } = await start(t, { viewport: { width: 390, height: 850 } })
  await says(page, '48 bikes')
  await assertUsable(t, page)
  for (const width of [1280, 1024, 900, 768, 640, 390, 320]) {
    await page.setViewportSize({ width, height: 850 })
    const [button, field] = [
      await page.getByRole('button', { name: 'Load' }).boundingBox(),
      await page.getByLabel('Prefer').boundingBox()
    ]
    t.ok(button !== null && button.y === field?.y, `${width} pixels`)
    t.equal(await overflow(page), 0, `${width} pixels`)
  }
})
