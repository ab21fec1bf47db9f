import { totalmem } from 'node:os'
import { test } from 'tap'
import { cacheSize, memoryWarning } from '../../src/base/memory.ts'

const megabyte = 2 ** 20
const full = 16 * megabyte

const sizes: readonly (readonly [limited: number, size: number])[] = [
  [0, full],
  [2 ** 64, full],
  [512 * megabyte, full],
  [96 * megabyte, 3 * megabyte],
  [100_000_001, 3_125_000]
]

const skip = totalmem() < 512 * megabyte && 'this machine has too little'

test('a cache has its share of little memory', { skip }, async t => {
  for (const [limited, size] of sizes) {
    t.equal(cacheSize(full, limited), size, `${limited} bytes`)
  }
})

test('a memory limit that a reload would exceed', async t => {
  const usage = { ...process.memoryUsage(), rss: 200 * megabyte, heapUsed: 120 * megabyte }
  for (const limited of [0, 2 ** 64, 320 * megabyte]) {
    t.equal(memoryWarning(usage, limited), undefined, `${limited} bytes`)
  }
  const warning = /^a reload needs about 320 MB, but the memory limit is 256 MB; /
  t.match(memoryWarning(usage, 256 * megabyte), warning)
})
