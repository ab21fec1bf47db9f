import { t } from 'tap'

/** Bounds a single test, in milliseconds, and not a file: a busy machine takes many times as long as a quiet one. */
const testTimeout = 180_000

t.setTimeout(0)
// Files that import the helper wait for its catalogue; without this, tap would end after the tests of others.
t.before(() => import('./helper.ts'))
t.beforeEach(t => { t.setTimeout(testTimeout) })
// A test that timed out may leave handles open, which must not keep the process alive.
t.teardown(() => setTimeout(() => process.exit(), 5_000).unref())
