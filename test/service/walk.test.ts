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
  return { pages: pages.join(' '), end: step.value }
}

test('a walk says why it ended', async t => {
  t.strictSame(await walkFrom('a'), { pages: 'a b c', end: 'circle' })
  t.strictSame(await walkFrom('a', 2), { pages: 'a b', end: 'limit' })
  t.strictSame(await walkFrom('d'), { pages: 'd', end: 'elsewhere' })
  t.strictSame(await walkFrom('e'), { pages: 'e', end: 'last' })
  t.strictSame(await walkFrom('f'), { pages: 'f unread', end: 'unread' })
})
