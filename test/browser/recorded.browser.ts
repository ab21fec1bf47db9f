import { test } from 'tap'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { resources } from '../../src/lists/resources.ts'
import { assertUsable, signIn, visit } from './browser.ts'

const long = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(6)
const records = [
  { id: 1, title: null, category: 'road', images: [1], featured_image: 'none', wheels: 4 },
  {
    id: 2, title: long, category: { name: long, slug: long }, colour: long, is_featured: true,
    strava: { [long]: [long] }, [long]: long, ['__proto__']: { a: null }
  },
  {
    id: 3, title: '', brand: long, brand_name: long, model: '', model_name: long, description: long,
    rimdepth: long, is_featured: true, similar_bikes: [1, 2, 3, 4]
  },
  {
    id: 4, brand: 'Brooks', model: 'B17', brand_name: 'Brooks', model_name: 'B17', rating: '4.5', price: 12.5,
    weight_kg: 7, rails: 'steel', colour: 'brown', is_featured: true
  }
]

for (const [width, colorScheme] of [[1280, 'light'], [390, 'dark'], [320, 'light']] as const) {
  test(`pages of odd records, ${width} pixels wide, ${colorScheme}`, async t => {
    const names = ['bikes', 'wheels', 'tyres', 'chains', 'groupsets', 'brakes', 'saddles', 'handlebars']
    const directory = t.testdir({
      v1: Object.fromEntries(names.map(name => [`${name}.json`, JSON.stringify(records)])), v2: {}
    })
    const options = { viewport: { width, height: 850 }, colorScheme, reducedMotion: 'reduce' } as const
    const { origin, page, wrong } = await visit(t, '/', options, { simulate: true }, await loadCatalogue(directory))
    await signIn(page)
    for (const path of [
      '/', ...resources.flatMap(({ path }) => [`${path}?format=api`, `${path}?format=api&page=2&page_size=1`])
    ]) {
      await page.goto(origin + path)
      if (path.startsWith('/api/')) await page.getByText(/an array of|record 2 of/).first().waitFor()
      await assertUsable(t, page)
      t.equal(await page.locator('main img:not(.mark)').count(), 0, `${path} has no broken image`)
      t.ok(
        await page.evaluate(`[...document.querySelectorAll('.blank')]
          .every(blank => blank.firstChild.offsetWidth < blank.offsetWidth / 2)`),
        path
      )
    }
    t.same(wrong, [])
  })
}
