import type { Page } from 'playwright-core'
import { test } from 'tap'
import { assertUsable, layoutShift, objections, tabTo, visit } from './browser.ts'

const path = '/api/v1/saddles/'

const said = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor()

test('press, request, see: without a reload', async t => {
  const { origin: url, page, wrong } = await visit(t, '/__simulate', {}, { simulate: true })
  const requests = page.locator('#requests-rows > ol > li')
  const rules = page.getByRole('region', { name: 'Rules' }).getByRole('listitem')
  await page.getByText('No requests yet.').waitFor()

  await page.getByLabel('Number of requests').fill('2')
  await page.getByLabel('List').selectOption('Saddles')
  await page.getByRole('button', { name: '503' }).click()
  await said(page, 'Rule 1 added: 503 for the next 2 requests to Saddles.')
  t.equal((await fetch(url + path)).status, 503)
  await said(page, 'The next request to Saddles got 503.')
  await requests.filter({ hasText: /503.*GET \/api\/v1\/saddles\/.*rule 1: code=503/s }).waitFor()
  await rules.filter({ hasText: 'used 1 of 2' }).waitFor()

  await page.getByLabel('Which requests').selectOption('every')
  t.notOk(await page.getByLabel('Number of requests').isVisible())
  await page.getByRole('button', { name: /^connection reset/ }).click()
  await said(page, 'Rule 2 added: connection reset for every request to Saddles.')
  await t.rejects(fetch(url + path))
  await said(page, 'The next request to Saddles got connection reset.')
  t.match(await page.title(), /^connection reset · 2 rules active · Simulation/)
  t.match(await rules.allInnerTexts(), [/^Rule 2/, /^Rule 1/], 'in the order in which they act')

  await page.getByLabel(`Effect for GET ${path}`).last().selectOption('404')
  await page.getByRole('button', { name: `Fail next time: GET ${path}` }).last().click()
  await said(page, `Rule 3 added: 404 for the next GET ${path}.`)
  await page.getByRole('button', { name: 'Undo' }).click()
  await said(page, 'Undone.')
  await rules.nth(2).waitFor({ state: 'detached' })
  t.equal(await rules.count(), 2)

  await fetch(`${url}/api/v1/tyres/`, { headers: { 'x-test': 'a' } })
  await page.getByLabel('Header for GET /api/v1/tyres/').selectOption('x-test: a')
  await page.getByRole('button', { name: 'Fail next time: GET /api/v1/tyres/' }).click()
  await said(page, 'Rule 4 added: 503 for the next GET /api/v1/tyres/ with x-test: a.')
  t.equal((await fetch(`${url}/api/v1/tyres/`)).status, 200)
  t.equal((await fetch(`${url}/api/v1/tyres/`, { headers: { 'x-test': 'a' } })).status, 503)
  await page.getByText('1 used up').waitFor()

  await page.getByRole('button', { name: '3 s delay' }).click()
  await said(page, 'Rule 5 added: 3 s delay for every request to Saddles.')
  t.equal((await fetch(url + path)).status, 200)
  await said(page, 'The next request to Saddles got 200.')

  await page.getByRole('button', { name: 'Delete rules' }).click()
  await page.getByText('No rules: every request gets the plain response.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await rules.nth(1).waitFor()
  await page.getByRole('button', { name: 'Delete rules' }).click()
  await page.getByText('No rules').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('No requests yet.').waitFor()
  t.same(wrong, [])
})

test('a request that fails and is tried again is two rows, 200 above 503', async t => {
  const { origin: url, page, wrong } = await visit(t, '/__simulate', {}, { simulate: true })
  const rows = page.locator('#requests-rows > ol > li')
  await page.getByRole('button', { name: '503' }).click()
  await said(page, 'Rule 1 added: 503 for the next request to Bikes.')
  for (const status of [503, 200]) t.equal((await fetch(`${url}/api/v1/bikes/`)).status, status)
  await said(page, 'The next request to Bikes got 503.')
  await rows.nth(1).waitFor()
  t.same(await rows.locator('.status').allInnerTexts(), ['200', '503'])
  for (let count = 0; count < 2; count++) await fetch(`${url}/api/v1/bikes/`)
  await rows.first().filter({ hasText: '× 2' }).waitFor()
  t.equal(await rows.count(), 3, 'equal outcomes are one row; the one that came too early is another')
  t.same(wrong, [])
})

test('make the next request to Bikes 503, see it, and delete it, by keyboard only', async t => {
  const { origin: url, page, wrong } = await visit(t, '/__simulate', {}, { simulate: true })
  t.ok(await tabTo(page, '#path'), 'the focus can be seen on the way')
  t.equal(await page.getByLabel('List').inputValue(), '/api/v1/bikes/')
  for (const [index, id] of [[1, 'the keyboard keeps its place'], [2, 'once more']] as const) {
    if (index === 1) t.ok(await tabTo(page, '[data-rule*="503"]'), id)
    await page.keyboard.press('Enter')
    await said(page, `Rule ${index} added: 503 for the next request to Bikes.`)
    t.equal(await page.evaluate('document.activeElement.firstElementChild.textContent'), '503', id)
  }
  t.equal((await fetch(`${url}/api/v1/bikes/`)).status, 503)
  await said(page, 'The next request to Bikes got 503.')
  await page.keyboard.press('Enter')
  await page.locator('#delete-3').waitFor()
  t.ok(await tabTo(page, '#delete-3'))
  await page.keyboard.press('Enter')
  await said(page, 'Rule 3 deleted.')
  await page.locator('#delete-1:focus').waitFor()
  await page.keyboard.press('Enter')
  await said(page, 'Rule 1 deleted.')
  await page.locator('#delete-rules:focus').waitFor()
  await page.getByText('1 used up').waitFor()
  t.ok(await tabTo(page, '#used summary'))
  await page.keyboard.press('Enter')
  t.ok(await tabTo(page, '[data-used]'))
  await page.keyboard.press('Enter')
  await said(page, 'Rule 2 deleted.')
  await page.locator('#delete-rules:focus').waitFor()
  t.equal((await fetch(`${url}/api/v1/bikes/`)).status, 200)
  t.same(wrong, [])
})

test('all codes, Retry-After, a delay and an own body are below "More"; rules are copied', async t => {
  const { origin: url, page, wrong } = await visit(
    t,
    '/__simulate',
    { permissions: ['clipboard-read', 'clipboard-write'] },
    { simulate: true }
  )
  await page.getByText('More …').click()
  const submit = async (fields: Record<string, string>) => {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value)
    await page.keyboard.press('Enter')
  }
  t.equal(await page.locator('#code option').count(), 14)
  await page.getByLabel('Code').selectOption('429')
  await submit({ 'Retry-After': '7' })
  await said(page, 'Rule 1 added: 429 for the next request to Bikes.')
  await submit({ Body: '[' })
  await said(page, 'The body must be JSON.')
  await submit({ 'Retry-After': '', Body: '[{"__proto__": "it\'s"}]', Delay: '5' })
  await said(page, 'Rule 2 added: custom JSON body for the next request to Bikes.')
  await page.getByLabel('Code').selectOption('404')
  await submit({ 'Retry-After': '7', Body: '' })
  await said(page, 'retryAfter: Needs code 429 or 503.')

  const copies = [
    [
      'test',
      'server.simulate({ "path": "/api/v1/bikes/", "body": [ { ["__proto__"]: "it\'s" } ], "delay": 5, "times": 1 })'
    ],
    [
      'curl',
      "curl -H 'Content-Type: application/json' -d '{ \"path\": \"/api/v1/bikes/\", \"times\": 1, " +
        `"body": [ { "__proto__": "it'\\''s" } ], "delay": 5 }' '${url}/__simulate'`
    ]
  ] as const
  for (const [kind, code] of copies) {
    await page.getByRole('button', { name: `Copy as ${kind}` }).first().click()
    await said(page, `Rule 2 copied as ${kind}.`)
    t.equal(sorted(await page.evaluate('navigator.clipboard.readText()')), sorted(code), kind)
  }
  t.same(wrong, [])
})

test('all rules are copied as a file, and one click fails both of two requests that are sent at once', async t => {
  const { origin: url, page, wrong } = await visit(
    t,
    '/__simulate',
    { permissions: ['clipboard-read', 'clipboard-write'] },
    { simulate: true }
  )
  const added = await fetch(`${url}/__simulate`, {
    method: 'POST', headers: {
      'content-type': 'application/json'
    }, body: JSON.stringify({ path, delay: 100, times: 1 })
  })
  await added.text()
  await Promise.all([fetch(url + path), fetch(url + path)])
  await page.getByRole('button', { name: 'Choose the next 2' }).click()
  await said(page, `Rule 2 added: for the next 2 requests to ${path}.`)
  await page.getByRole('button', { name: 'Copy as rules file' }).click()
  await said(page, 'Rules copied.')
  const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()')) as object[]
  t.same(copied, [{ path, delay: 100, times: 1 }, { path, delay: 100, times: 2 }])
  t.same(wrong, [])
})

const sorted = (code: string) => [...code].sort().join('')

test('the log holds still while it is read or paused; after Back the controls say what is shown', async t => {
  const { origin: url, page } = await visit(t, '/__simulate', {}, { simulate: true })
  const requests = page.locator('#requests-rows > ol > li')
  await fetch(url + path)
  await requests.first().waitFor()
  await requests.first().hover()
  await fetch(`${url}${path}?page=1`)
  await page.getByRole('button', { name: '1 new request' }).press('Enter') // a click would move the pointer away
  await requests.nth(1).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  for (let count = 0; count < 2; count++) await fetch(url + path)
  await page.getByRole('button', { name: '2 new requests' }).waitFor()
  t.equal(await requests.count(), 2)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('No requests yet.').waitFor()

  await page.getByLabel('Which requests').selectOption('every')
  await page.goto(`${url}/`)
  await page.goBack()
  const isEvery = await page.getByLabel('Which requests').inputValue() === 'every'
  await page.getByLabel('Number of requests').waitFor({ state: isEvery ? 'hidden' : 'visible' })
})

for (const [colorScheme, width] of [['light', 1280], ['dark', 390], ['light', 320]] as const) {
  test(`the page of simulation, ${width} pixels wide, ${colorScheme}`, async t => {
    const { origin: url, page } = await visit(
      t,
      '/__simulate',
      { colorScheme, viewport: { width, height: 850 } },
      { simulate: true }
    )
    const shot = async (name: string) => {
      await assertUsable(t, page, name)
      const { SCREENSHOTS: folder } = process.env
      if (folder !== undefined) {
        await page.screenshot({ path: `${folder}/${width}-${colorScheme}-${name}.png`, fullPage: true })
      }
    }
    await shot('empty')
    t.equal(await page.evaluate(layoutShift), 0, 'does not shift')
    await page.getByText('More …').click()
    for (const name of ['503', 'slow body', 'odd record']) {
      await page.getByRole('button', { name }).click()
      await said(page, `: ${name} for`)
    }
    await shot('rules')
    await page.getByText('More …').click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await said(page, 'Undone.')
    const queries = [
      '', '', `?q=${'long'.repeat(50)}`, '?__fault=truncate', '?__delay=1', '?__fault=reset',
      '?ordering=nothing', '?page=99'
    ]
    for (const query of [...queries, ...Array.from({ length: 17 }, (_, index) => `?page=${index + 1}`)]) {
      await fetch(`${url}/api/v1/bikes/${query}`).then(response => response.text()).catch(() => {})
    }
    await page.getByText('page=17').waitFor()
    await page.getByText('2 used up').click()
    await shot('requests')
    await page.route('**/__simulate', route => route.abort())
    await said(page, 'The server cannot be reached.')
    t.same(await objections(page, ['color-contrast']), [])
  })
}

test('the page of simulation is readable without a script', async t => {
  const { origin: url, page } = await visit(t, '/', { javaScriptEnabled: false }, { simulate: true })
  await fetch(`${url}${path}?__code=503`)
  await page.goto(`${url}/__simulate`)
  t.match(
    await page.getByRole('main').innerText(),
    /The buttons need a script. Commands add rules too\..*503\s+GET \/api\/v1\/saddles\/\s+__code=503/s
  )
  t.notOk(await page.getByRole('button').first().isVisible())
})
