import { test } from 'tap'
import { walk } from '../../src/service/walk.ts'

const links: Readonly<Record<string, string | null>> = {
  a: 'b', b: 'c', c: 'b', d: 'elsewhere', e: null, f: 'unread', g: 'e'
}

async function walkFrom (first: string, most = 9) {
  const nextOf = (name: string) => links[name]
  const follow = (link: string) => link === 'elsewhere' ? undefined : Promise.resolve(link)
  const steps = walk(first, { nextOf, follow, most })
  const pages: string[] = []
  let step = await steps.next()
  for (; step.done !== true; step = await steps.next()) pages.push(step.value)
  return [...pages, step.value].join(' ')
}

test('a walk follows next, and says why it ended', async t => {
  t.equal(await walkFrom('a'), 'a b c circle')
  t.equal(await walkFrom('a', 2), 'a b limit')
  t.equal(await walkFrom('d'), 'd not followed')
  t.equal(await walkFrom('e'), 'e last')
  t.equal(await walkFrom('f'), 'f unread no page')
  t.equal(await walkFrom('g', 2), 'g e last')
})
