import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import { chromium, type BrowserContextOptions as Options, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { freePort } from '../../tools/process.ts'
import { build } from '../helper.ts'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import type { Settings } from '../../src/settings/settings.ts'

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'
]

/** Starts a server at the base path in BASE_PATH, if any; returns the URL of its home page without the slash. */
export async function serve (t: Test, settings: Partial<Settings> = {}, records?: Catalogue): Promise<string> {
  const { BASE_PATH: basePath = '' } = process.env
  const port = await freePort()
  const url = `http://127.0.0.1:${port}${basePath}`
  const app = await build(t, { tokens: ['sekret'], ...basePath === '' ? {} : { publicUrl: url }, ...settings }, records)
  await app.listen({ port, host: '127.0.0.1' })
  return url
}

/**
 * Starts a server, and the browser in CHROMIUM with a page of the server; returns the server's URL, the page, and what
 * goes wrong in it: errors in the console, and requests that fail.
 */
export async function visit (
  t: Test,
  path: string,
  options: Options = {},
  settings: Partial<Settings> = {},
  records?: Catalogue
) {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  const [origin, browser] = await Promise.all([
    serve(t, settings, records), chromium.launch({ executablePath, args: flags })
  ])
  t.teardown(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options })
  const wrong: string[] = []
  page.on('console', message => {
    // That a document is an error is not wrong in itself; the browser says so each time.
    const isDocument = message.location().url === page.url() && message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isDocument) wrong.push(message.text())
  })
  page.on('pageerror', error => wrong.push(error.message))
  page.on('requestfailed', request => {
    // Leaving a page ends what it is still loading.
    const reason = request.failure()?.errorText
    if (reason !== 'net::ERR_ABORTED') wrong.push(`${request.url()} ${reason}`)
  })
  page.on('response', response => {
    const type = response.request().resourceType()
    if (response.status() >= 400 && type !== 'document' && type !== 'fetch') {
      wrong.push(`${response.url()} ${response.status()}`)
    }
  })
  await page.goto(origin + path)
  return { origin, page, wrong }
}

/** Signs each page of a tab in to version 2.1. */
export const signIn = (page: Page) => page.addInitScript("sessionStorage.setItem('bicycle-catalogue token', 'sekret')")

/** What axe-core objects to in a page, in a line each: by all of its rules, or by these. */
export async function objections (page: Page, rules?: string[]): Promise<string[]> {
  if (!await page.evaluate("'axe' in window")) await page.evaluate(axe)
  const options = { rules: { 'target-size': { enabled: true } }, ...rules === undefined ? {} : { runOnly: rules } }
  const { violations } = await page.evaluate(`axe.run(${JSON.stringify(options)})`) as AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(
    ({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`
  ))
}

/** Tells how many pixels a page is wider than the window. */
export async function overflow (page: Page): Promise<number> {
  return await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
}

/** Asserts that axe-core objects to nothing in a page, and that it is no wider than the window. */
export async function assertUsable (t: Test, page: Page, label = page.url()): Promise<void> {
  t.same(await objections(page), [], `${label} is accessible`)
  t.equal(await overflow(page), 0, `${label} is not too wide`)
}

/** A script that returns the sum of all layout shifts so far. */
export const layoutShift = `new Promise(resolve => {
  const sumOf = list => list.getEntries().reduce((sum, { value }) => sum + value, 0)
  new PerformanceObserver(list => resolve(sumOf(list))).observe({ type: 'layout-shift', buffered: true })
  setTimeout(resolve, 100, 0)
})`

/** Presses Tab until an element has the focus, and tells whether the focus can be seen on each element on the way. */
export async function tabTo (page: Page, selector: string): Promise<boolean> {
  let isVisible = true
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press('Tab')
    isVisible &&= await page.evaluate("getComputedStyle(document.activeElement).outlineStyle !== 'none'")
    if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return isVisible
  }
  throw new Error(`Tab does not lead to ${selector}`)
}
