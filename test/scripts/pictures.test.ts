import tap, { test } from 'tap'
import { runScript } from '../run-script.ts'

tap.setTimeout(120_000) // every drawing is made anew

test('data/media/ holds a true picture of every record, and no other', async t => {
  t.match(runScript('scripts/pictures.ts', '--check'), { status: 0, stderr: '' })
})
