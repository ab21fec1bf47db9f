import { test } from 'tap'
import { readableLog } from '../../src/command/log-lines.ts'

const time = new Date(2026, 0, 2, 3, 4, 5).getTime()

test('a person reads one short line for each entry', async t => {
  const lines: string[] = []
  const log = readableLog({ write: line => lines.push(line) })
  for (const entry of [
    { level: 30, time, msg: 'answered', method: 'GET', url: '/api/v1/bikes/', status: 200, ms: 0.4 },
    { level: 40, time, msg: 'Redis is away' },
    { level: 50, time, msg: 'x', err: { message: 'broken' } },
    { level: 30, time, msg: 'Redis is back' }
  ]) log.write(JSON.stringify(entry))
  t.same(lines, [
    '  03:04:05  200 GET /api/v1/bikes/ 0.4 ms\n',
    '  03:04:05  warning: Redis is away\n',
    '  03:04:05  warning: broken\n',
    '  03:04:05  Redis is back\n'
  ])
})
