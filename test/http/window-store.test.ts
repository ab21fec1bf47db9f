import { clock } from '../clock.ts'
import { test } from 'tap'
import { createMemoryStore, maxClients } from '../../src/http/window-store.ts'

test('a limit remembers 5,000 clients, without those whose windows are the oldest', async t => {
  const countWindow = createMemoryStore()
  const count = (client: string) => {
    let current = 0
    countWindow(client, counted => { current = counted.current })
    return current
  }
  count('early')
  count('renewed')
  clock.ahead += 60_000
  count('renewed') // a new window, which is the newest
  for (let client = 2; client < maxClients; client++) count(String(client))
  t.equal(count('renewed'), 2)
  t.equal(count('2'), 2)
  count('one too many')
  t.equal(count('renewed'), 3, 'only the oldest goes')
  t.equal(count('2'), 3)
  count('two too many')
  t.equal(count('renewed'), 1)
})
