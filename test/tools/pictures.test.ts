import { test } from 'tap'
import { runScript } from '../run-script.ts'

test('data/media/ holds a true picture of every record, and no other', async t => {
  t.match(runScript('tools/drawing/pictures.ts', '--check'), { status: 0, stderr: '' })
})
