// npm install --save-dev playwright-core ./bicycle-catalogue-1.0.0.tgz; npx playwright-core install chromium
// node --test bikes.test.mjs
// Set CHROMIUM to use an installed browser.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { start } from 'bicycle-catalogue'
import { chromium } from 'playwright-core'

let server, browser
before(async () => {
  server = await start({ simulate: true })
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM })
})
afterEach(() => {
  const requests = server.requests()
  server.reset() // before the assertion, so that a failed test leaves no rules behind
  assert.deepEqual(requests.flatMap(({ advice }) => advice), []) // the rules of the contract that your page breaks
})
after(async () => {
  await browser?.close()
  await server?.close()
})

/** Opens your page: in this example, one that lists saddles, or says that it can't. */
async function open () {
  const page = await browser.newPage()
  await page.setContent(`<ul></ul><p role="status"></p><script type="module">
    try {
      const response = await fetch('${server.url}/api/v1/saddles/')
      if (!response.ok) throw new Error(response.status)
      for (const { model } of await response.json()) {
        document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: model }))
      }
    } catch {
      document.querySelector('p').textContent = 'Try again later'
    }
  </script>`)
  return page
}

test('the page lists saddles', async () => {
  const page = await open()
  await page.locator('li').first().waitFor()
  assert.ok(await page.locator('li').count() > 9)
})

for (const rule of [{ code: 503 }, { fault: 'reset' }, { fault: 'malformed' }]) {
  test(`the page says that its requests failed: ${JSON.stringify(rule)}`, async () => {
    server.simulate({ path: '/api/v1/saddles/', ...rule })
    const page = await open()
    await page.getByText('Try again later').waitFor()
    assert.ok(server.requests().length > 0)
  })
}
