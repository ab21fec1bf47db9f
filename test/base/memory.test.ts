import { totalmem } from 'node:os'
import { test } from 'tap'
import { cacheSize, memoryWarning } from '../../src/base/memory.ts'

const megabyte = 2 ** 20
const full = 16 * megabyte

test('a cache has its share of little memory', { skip: totalmem() < 512 * megabyte && 'this machine has too little' }, async t => {
  for (const [limited, size] of [[0, full], [2 ** 64, full], [512 * megabyte, full], [96 * megabyte, 3 * megabyte], [100_000_001, 3_125_000]] as const) {
    t.equal(cacheSize(full, limited), size, `${limited} bytes`)
  }
})

test('a memory limit that a reload would exceed', async t => {
  const usage = { ...process.memoryUsage(), rss: 200 * megabyte, heapUsed: 120 * megabyte }
  for (const [limited, warning] of [[0, undefined], [2 ** 64, undefined], [320 * megabyte, undefined], [256 * megabyte, /^a reload needs about 320 MB, but the memory limit is 256 MB; /]] as const) {
    t.match(memoryWarning(usage, limited), warning, `${limited} bytes`)
  }
})
