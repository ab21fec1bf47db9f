import { availableParallelism, loadavg } from 'node:os'
import { t } from 'tap'

/** Bounds a single test, in milliseconds, of a machine that has a core for it, and not a file. */
const testTimeout = 180_000

/** Returns how many processes wait for a core, at least 1; Windows knows no load. */
const load = () => Math.max(1, Number(loadavg()[0]) / availableParallelism())

t.setTimeout(0)
// Files that import the helper wait for its catalogue; without this, tap would end after the tests of others.
t.before(() => import('./helper.ts'))
t.beforeEach(t => { t.setTimeout(testTimeout * load()) })
// A test that timed out may leave handles open, which must not keep the process alive.
t.teardown(() => setTimeout(() => process.exit(), 5_000).unref())
