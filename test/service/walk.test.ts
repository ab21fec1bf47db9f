import { test } from 'tap'
import { walk } from '../../src/service/walk.ts'

const links: Readonly<Record<string, unknown>> = { a: 'b', b: 'c', c: 'b', d: 'elsewhere', e: null, f: 'unread' }

async function walkFrom (first: string, most = 9) {
  const pageOf = (name: string) => name in links ? { next: links[name] } : undefined
  const follow = (link: string) => link === 'elsewhere' ? undefined : Promise.resolve(link)
  const steps = walk(first, { pageOf, follow, most })
  const pages: string[] = []
  let step = await steps.next()
  for (; step.done !== true; step = await steps.next()) pages.push(step.value)
  return { pages: pages.join(' '), isWhole: step.value }
}

test('a walk follows next, and says whether it read the last page', async t => {
  t.strictSame(await walkFrom('a'), { pages: 'a b c', isWhole: false })
  t.strictSame(await walkFrom('a', 2), { pages: 'a b', isWhole: false })
  t.strictSame(await walkFrom('d'), { pages: 'd', isWhole: false })
  t.strictSame(await walkFrom('e'), { pages: 'e', isWhole: true })
  t.strictSame(await walkFrom('f'), { pages: 'f unread', isWhole: false })
})
