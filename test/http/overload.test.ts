import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { errors } from '../../src/http/errors.ts'
import { createLogger } from '../../src/http/log.ts'
import { createCapacity } from '../../src/http/overload.ts'

/** The capacity of a server on a clock that only work advances. */
function createTimed (t: Test) {
  const lines: string[] = []
  let [requests, time] = [0, 1]
  const logger = createLogger('warn', { write: line => lines.push((JSON.parse(line) as { msg: string }).msg) })
  const assertCapacity = createCapacity(() => requests, logger, () => time)
  /** Does work of so many milliseconds for each of so many requests in one turn of the event loop; gives how many were refused. */
  async function work (count: number, milliseconds: number, isInjected = false): Promise<number> {
    let refused = 0
    for (let request = 0; request < count; request++) {
      try {
        if (!isInjected) requests++
        assertCapacity()
        time += milliseconds
      } catch (error) {
        t.strictSame(error, errors.unavailable(1))
        refused++
      }
    }
    await turn()
    return refused
  }
  return { work, lines }
}

for (const { name, turns, refused } of [
  { name: 'one piece of work that blocks for long', turns: [[1, 5000], [1, 5000]], refused: [0, 0] },
  { name: 'a burst of a second', turns: [[10, 100]], refused: [0] },
  { name: 'a burst of more than a second', turns: [[20, 100]], refused: [9] },
  { name: 'work that keeps coming after a second of long turns', turns: [[20, 100], [20, 100], [20, 100]], refused: [9, 17, 17] },
  { name: 'work that keeps coming in short turns', turns: Array.from({ length: 50 }, () => [10, 25]), refused: Array(50).fill(0) },
  { name: 'a burst after a short turn', turns: [[20, 100], [1, 1], [10, 100]], refused: [9, 0, 0] }
]) {
  test(`${name}: ${JSON.stringify(refused.slice(0, 3))} refused`, async t => {
    const { work } = createTimed(t)
    const results = []
    for (const [count = 0, milliseconds = 0] of turns) results.push(await work(count, milliseconds))
    t.strictSame(results, refused)
  })
}

test('refused requests are logged once a second; injected ones are never refused', async t => {
  t.equal(await createTimed(t).work(100, 100, true), 0)
  const { work, lines } = createTimed(t)
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  await work(20, 100)
  await work(20, 100)
  t.strictSame(lines, [])
  mock.timers.tick(1000)
  t.strictSame(lines, ['too many requests: 26 of the last second were refused with 503'])
  mock.timers.tick(5000)
  t.equal(lines.length, 1)
})
