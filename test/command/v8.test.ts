import t from 'tap'
import { createHook } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { tuneV8 } from '../../src/command/v8.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Whether what Node queues for the ticks of an action is there after a full collection. */
async function isKept (action: () => void): Promise<boolean> {
  const queued: WeakRef<object>[] = []
  const hook = createHook({
    init (_id, type, _trigger, resource) {
      if (type === 'TickObject') queued.push(new WeakRef(resource))
    }
  }).enable()
  action()
  hook.disable()
  await setImmediate()
  collect()
  return queued.length === 1 && queued[0]?.deref() !== undefined
}

await t.test('what Node queues for a tick keeps its shape through a collection', async t => {
  t.notOk(await isKept(() => process.nextTick(() => {})), 'it is garbage as a rule')
  t.ok(await isKept(tuneV8), 'one is held')
})
