import { t } from 'tap'

/** Bounds a single test, in milliseconds, and no number of them: a busy machine takes many times as long as a quiet one. */
const testTimeout = 180_000

t.setTimeout(0)
t.before(() => import('./helper.ts')) // files that import it wait for its catalogue; until then tap would end after the tests of others
t.beforeEach(t => { t.setTimeout(testTimeout) })
t.teardown(() => setTimeout(() => process.exit(), 5_000).unref()) // what a test that timed out has left open does not keep the process
