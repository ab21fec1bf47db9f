import { test } from 'tap'
import { simulated } from '../simulation/simulated.ts'
import { assertUsable, launch, objections, open } from './browser.ts'

for (const [colorScheme, width] of [['light', 1280], ['dark', 390]] as const) {
  test(`try what can be simulated, ${width} pixels wide, ${colorScheme}`, async t => {
    const { app } = await simulated(t, { rateLimit: false })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const { page, wrong } = await open(await launch(t), { colorScheme, viewport: { width, height: 850 } })
    await page.goto(`${origin}/api/v1/saddles/?format=api`)
    await page.getByText('Try an error').click()
    await assertUsable(t, page)
    await page.getByRole('link', { name: '503', exact: true }).click()
    await page.getByRole('heading', { name: 'Service temporarily unavailable, try again later.' }).waitFor()
    t.match(await page.locator('.headers').innerText(), /retry-after\s+1/)
    await page.goBack()
    await page.getByText('Try an error').click()
    await page.getByRole('link', { name: 'odd', exact: true }).click()
    await page.getByText('1 record').first().waitFor()
    t.same(await objections(page), [])
    t.same(wrong, [])
  })
}
