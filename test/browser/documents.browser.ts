import { test } from 'tap'
import { assertUsable, visit } from './browser.ts'

for (const [width, colorScheme] of [[1280, 'light'], [390, 'dark'], [320, 'light']] as const) {
  test(`read the documents, and copy a command, ${width} pixels wide`, async t => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const { origin, page, wrong } = await visit(t, '/docs/', { permissions, colorScheme, viewport: { width, height: 850 }, reducedMotion: 'reduce' })
    await assertUsable(t, page)
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await assertUsable(t, page)
    await page.goto(`${origin}/docs/guides/simulate/`)
    await assertUsable(t, page)
    await page.getByRole('button', { name: 'Copy the code' }).first().click()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), await page.locator('[data-copy]').first().innerText())
    t.same(wrong, [])
  })
}
