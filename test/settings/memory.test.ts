import { totalmem } from 'node:os'
import { test } from 'tap'
import { cacheSize } from '../../src/settings/memory.ts'

const megabyte = 2 ** 20

const cases = [
  { limited: 0, room: 16 * megabyte },
  { limited: 2 ** 64, room: 16 * megabyte },
  { limited: 512 * megabyte, room: 16 * megabyte },
  { limited: 96 * megabyte, room: 3 * megabyte },
  { limited: 100_000_001, room: 3_125_000 }
]

test('a cache has its share of little memory', { skip: totalmem() < 512 * megabyte && 'this machine has too little' }, async t => {
  for (const { limited, room } of cases) t.equal(cacheSize(16 * megabyte, limited), room, `${limited} bytes`)
})
