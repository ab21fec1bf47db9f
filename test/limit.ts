import t from 'tap'

// The first import of each process of `npm test`: bounds single tests, because a busy machine may take long for all of them.
const [testTime, exitTime] = [180_000, 5_000] // in milliseconds

t.setTimeout(0)
t.beforeEach(t => t.setTimeout(testTime))
t.teardown(() => setTimeout(() => process.exit(), exitTime).unref()) // a test that hung may have left a server open
