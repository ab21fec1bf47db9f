import type { Browser } from 'playwright-core'
import { test } from 'tap'
import { assertUsable, objections, tabTo, visit } from './browser.ts'

const path = '/api/v1/saddles/'

test('press, request, see: without a reload, by mouse and by keyboard', async t => {
  const { origin: url, page, wrong } = await visit(t, '/api/v1/bikes/?format=api', {}, { simulate: true })
  await page.getByRole('link', { name: 'Simulation' }).click()
  const requests = page.getByRole('region', { name: 'Requests' }).getByRole('listitem')
  const rules = page.getByRole('region', { name: 'Rules' }).getByRole('listitem')
  await page.getByText('No requests yet.').waitFor()

  await page.getByLabel('Number of requests').fill('2')
  await page.getByLabel('List').selectOption('Saddles')
  await page.getByRole('button', { name: '503' }).click()
  await page.getByText('Rule 1 added: 503 for the next 2 requests to Saddles.').waitFor()
  const look = await (page.context().browser() as Browser).newPage()
  await look.goto(`${url}${path}?format=api`)
  await look.getByText('Rule 1 answers the next 2 requests with 503.').waitFor()
  await look.getByRole('link', { name: '1 rule active' }).waitFor()
  await look.close()
  t.equal((await fetch(url + path)).status, 503)
  await requests.filter({ hasText: /503.*GET \/api\/v1\/saddles\/.*rule 1: code=503/s }).waitFor()
  await rules.filter({ hasText: 'used 1 of 2' }).waitFor()

  t.ok(await tabTo(page, '[data-rule*=reset]'))
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Rule 2 added: reset' }).waitFor()
  t.equal(await page.evaluate('document.activeElement.textContent'), 'reset')
  await t.rejects(fetch(url + path))
  await requests.first().filter({ hasText: 'reset' }).waitFor()
  t.match(await page.title(), /^reset · 2 rules active · Simulation/)
  await requests.last().getByRole('button', { name: 'Fail it next time' }).click()
  await page.getByText(`Rule 3 added: reset for the next GET ${path}.`).waitFor()
  await rules.filter({ hasText: 'Rule 3' }).getByRole('button', { name: 'Copy as test' }).click()
  await page.getByText("server.simulate({ method: 'GET', path: '/api/v1/saddles/', query: {}, fault: 'reset', times: 1 })").waitFor()
  await page.getByRole('button', { name: 'Delete rule 3' }).click()
  await page.getByText('Rule 3 deleted.').waitFor()
  await page.getByText('Rule 3', { exact: true }).waitFor({ state: 'detached' })

  await page.getByLabel('Number of requests').fill('0')
  await page.getByRole('button', { name: '401' }).click()
  t.equal(await rules.count(), 2, 'a number out of range adds nothing')
  await page.getByRole('button', { name: 'Delete rules' }).click()
  await page.getByText('No rules').waitFor()
  await page.getByRole('button', { name: 'Clear requests' }).click()
  await page.getByText('No requests yet.').waitFor()
  await fetch(url + path, { headers: { accept: 'application/json' } })
  await requests.filter({ hasText: '200' }).waitFor()
  t.equal(await requests.count(), 1)
  t.same(wrong, [])
})

for (const [colorScheme, width] of [['light', 1280], ['dark', 390], ['dark', 320]] as const) {
  test(`the page of simulation, ${width} pixels wide, ${colorScheme}`, async t => {
    const { origin: url, page } = await visit(t, '/__simulate', { colorScheme, viewport: { width, height: 850 } }, { simulate: true })
    await page.getByRole('button', { name: 'odd record' }).click()
    for (const query of ['', `?q=${'long'.repeat(50)}`, '?__fault=truncate', '?__delay=1']) await fetch(url + path + query).then(answer => answer.text()).catch(() => {})
    await page.getByText('after 1 ms', { exact: true }).waitFor()
    await assertUsable(t, page)
    await page.route('**/__simulate', route => route.abort())
    await page.getByText('The server cannot be reached.').waitFor()
    t.ok(await page.evaluate("((said, alarm) => getComputedStyle(said).color === getComputedStyle(alarm).color)(...document.querySelectorAll('[role=status], .status-5'))"))
  })
}

test('the page of simulation is readable without a script', async t => {
  const { origin: url, page } = await visit(t, '/', { javaScriptEnabled: false }, { simulate: true })
  await fetch(`${url}${path}?__code=503`)
  await page.goto(`${url}/__simulate`)
  t.match(await page.getByRole('main').innerText(), /The buttons need a script.*-d '\{"path".*503\s+GET \/api\/v1\/saddles\/\s+__code=503/s)
  t.notOk(await page.getByRole('button').isVisible())
})

for (const [colorScheme, width] of [['light', 1280], ['dark', 390]] as const) {
  test(`try what can be simulated, ${width} pixels wide, ${colorScheme}`, async t => {
    const { page, wrong } = await visit(t, `${path}?format=api`, { colorScheme, viewport: { width, height: 850 } }, { simulate: true })
    await page.getByText('Try an error').click()
    await assertUsable(t, page)
    await page.getByRole('link', { name: '503', exact: true }).click()
    await page.getByRole('heading', { name: 'Service temporarily unavailable, try again later.' }).waitFor()
    t.match(await page.locator('.headers').innerText(), /Retry-After\s+1/)
    await page.goBack()
    await page.getByText('Try an error').click()
    await page.getByRole('link', { name: 'odd', exact: true }).click()
    await page.getByText('1 record').first().waitFor()
    t.same(await objections(page), [])
    t.same(wrong, [])
  })
}

test('Copy as test writes a rule as JavaScript, with a key __proto__ too', async t => {
  const { origin: url, page } = await visit(t, '/__simulate', {}, { simulate: true })
  const body = `{"path":"${path}","body":{"__proto__":[1],"a b":"it's"}}`
  await fetch(`${url}/__simulate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  await page.getByRole('button', { name: 'Copy as test' }).click()
  await page.getByText(`server.simulate({ path: '${path}', body: { ['__proto__']: [1], 'a b': 'it\\'s' } })`).waitFor()
})
