import { setImmediate as turn } from 'node:timers/promises'
import { mock } from 'node:test'
import { test } from 'tap'
import { errors } from '../../src/http/errors.ts'
import { createJournal } from '../../src/http/journal.ts'
import { createLine } from '../../src/http/overload.ts'

/** A line, on a clock that only work moves on: its own CPU time and that of others. */
function createTimed () {
  const lines: string[] = []
  const state = { now: 0, spent: 0 }
  const done: number[] = []
  const journal = createJournal('warn', { write: line => lines.push((JSON.parse(line) as { msg: string }).msg) })
  const { inLine, join } = createLine(journal, { now: () => state.now, spent: () => state.spent })
  /** Has so many pieces of work done that take so many milliseconds each; `share` of them on the CPU. */
  const ask = (count: number, took: number, share = 1) => Array.from({ length: count }, (_, number) => inLine(() => {
    state.now += took
    state.spent += took * share
    done.push(number)
    return number
  }))
  return { inLine, join, ask, done, lines }
}

const outcomes = async (works: readonly unknown[]) => (await Promise.allSettled(works)).map(({ status }) => status === 'fulfilled')

test('work is done at once for 10 ms of a turn, then in line, in the order in which it came', async t => {
  const { ask, done } = createTimed()
  const works = ask(6, 4)
  t.strictSame(works.slice(0, 3), [0, 1, 2])
  t.strictSame(done, [0, 1, 2])
  await turn()
  t.strictSame(done, [0, 1, 2, 3, 4, 5])
  t.strictSame(await Promise.all(works), [0, 1, 2, 3, 4, 5])
  t.strictSame(ask(2, 4), [0, 1], 'the next turn has 10 ms again')
})

test('nobody passes those who wait', async t => {
  const { ask, done } = createTimed()
  const works = ask(3, 11)
  t.strictSame(done, [0])
  await turn()
  t.strictSame(done, [0, 1])
  const [later] = ask(1, 0)
  await Promise.all([...works, later])
  t.strictSame(done, [0, 1, 2, 0])
})

test('what work throws, its caller is thrown, at once and from the line', async t => {
  const { inLine, ask } = createTimed()
  const broken = () => { throw new Error('broken') }
  t.throws(() => inLine(broken), { message: 'broken' })
  await Promise.all(ask(1, 11))
  await t.rejects(Promise.resolve(inLine(broken)), { message: 'broken' })
  await t.rejects(Promise.resolve(inLine(async () => broken())), { message: 'broken' })
})

for (const { name, count, took, share, refused } of [
  { name: 'a burst that takes less than a second is worked off', count: 11, took: 100, share: 1, refused: 0 },
  { name: 'so is one that takes long because others use the machine', count: 100, took: 100, share: 0.1, refused: 0 },
  { name: 'after a second of CPU time what waits for more than half of one is refused', count: 20, took: 100, share: 1, refused: 8 },
  { name: 'a thousandth more than a second is more than a second', count: 11, took: 143, share: 1, refused: 3 }
]) {
  test(name, async t => {
    const { ask } = createTimed()
    const fulfilled = await outcomes(ask(count, took, share))
    t.strictSame(fulfilled, [...Array(count - refused).fill(true), ...Array(refused).fill(false)])
  })
}

test('as long as the first in line has waited too long, who comes is refused at once; the log tells how many were', async t => {
  const { inLine, join, ask, lines } = createTimed()
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const works = ask(20, 100)
  await works[11]
  t.throws(() => inLine(() => 'later'), errors.unavailable(1))
  t.throws(join, errors.unavailable(1))
  await outcomes(works)
  t.doesNotThrow(join)
  t.equal(inLine(() => 'after the line has gone'), 'after the line has gone')
  mock.timers.tick(999)
  t.strictSame(lines, [])
  mock.timers.tick(1)
  t.strictSame(lines, ['too many requests: 10 of the last second were refused with 503'])
})
