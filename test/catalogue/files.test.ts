import { test } from 'tap'
import { changedDirectory, faultLines, type FaultCase } from './changed.ts'

const cases: readonly FaultCase[] = [
  ['missing file', { tyres: null }, [
    'v1/tyres.json is missing'
  ]],
  ['byte order mark', { tyres: Buffer.from('\ufeff{}') }, [
    'v1/tyres.json:1:1 must be UTF-8 without a byte order mark'
  ]],
  ['Latin-1', { tyres: Buffer.from('{\n  "\u00e9": 1}', 'latin1') }, [
    'v1/tyres.json:2:4 must be UTF-8, got the byte 0xe9'
  ]],
  ['replacement character before the bad byte', { tyres: Buffer.concat([Buffer.from('{\r\n"\ufffdé'), Buffer.from([0xff])]) }, [
    'v1/tyres.json:2:4 must be UTF-8, got the byte 0xff'
  ]],
  ['empty file', { tyres: Buffer.from('') }, [
    'v1/tyres.json:1:1 expected a value, got the end of the file'
  ]],
  ['open string', { saddles: [['"One"', '"One']] }, [
    'v1/saddles.json:9:20 expected a closing quote, got the end of the line'
  ]],
  ['odd character', { saddles: [['"id": 1', '"id": \u{1f6b2}']] }, [
    'v1/saddles.json:7:13 expected a value, got \u{1f6b2}'
  ]],
  ['trailing comma', { saddles: [['"One"', '"One",']] }, [
    'v1/saddles.json:10:5 expected a property name in double quotes, got }'
  ]]
]

test('files that cannot be read', async t => {
  for (const [title, changes, lines] of cases) t.strictSame(await faultLines(changedDirectory(t, changes)), lines, title)
})
