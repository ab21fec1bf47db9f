import { test } from 'tap'
import { assertErrors, type FaultCase } from './changed.ts'

/** A text with a byte at its end that is not UTF-8. */
const withBadByte = (text: string) => Buffer.concat([Buffer.from(text), Buffer.from([0xff])])

const cases: readonly FaultCase[] = [
  ['missing file', { tyres: null }, 'v1/tyres.json is missing'],
  ['UTF-16', { tyres: Buffer.from('\ufeff{}', 'utf16le') },
    'v1/tyres.json:1:1 must be UTF-8, got UTF-16 (PowerShell\'s > writes it; save with curl -o)'],
  ['a no-break space', { tyres: Buffer.from('\ufeff{\u00a0}') }, 'v1/tyres.json:1:2 expected a value, got \\u00a0'],
  ['Latin-1 after lines that end in LF and CR', { tyres: Buffer.from('{\n\r  "\u00e9": 1}', 'latin1') },
    'v1/tyres.json:3:4 must be UTF-8, got the byte 0xe9'],
  ['replacement character before the bad byte', { tyres: withBadByte('{\r\n"\ufffdé') },
    'v1/tyres.json:2:4 must be UTF-8, got the byte 0xff'],
  ['consecutive replacement characters', { tyres: withBadByte('{"\ufffd\ufffd\ufffd') },
    'v1/tyres.json:1:6 must be UTF-8, got the byte 0xff'],
  ['a bad byte after many good replacement characters', { saddles: withBadByte('\ufffd'.repeat(200_000)) },
    'v1/saddles.json:1:200001 must be UTF-8, got the byte 0xff'],
  ['odd character', { saddles: [['"id": 1', '"id": \u{1f6b2}']] },
    'v1/saddles.json:7:13 expected a value, got \u{1f6b2}'],
  ['half of a surrogate pair in an escape, which JSON allows', { saddles: [['"One"', '"\\uD83D One"']] }],
  ['nested deeply', { saddles: [['"One"', `${'['.repeat(600)}${']'.repeat(600)}`]] },
    'v1/saddles.json:9:16 saddles[0].model (id 1) must be a string, got an array'],
  ['nested deeply before its list', {
    saddles: [['"version"', `"x": ${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}, "version"`]]
  },
  'v1/saddles.json:3:3 x is not a known property'],
  ['more than a list', { saddles: [['"saddles": [', '"seats": [], "saddles": [']] },
    'v1/saddles.json:5:3 seats is not a known property']
]

test('files that cannot be read', async t => {
  await assertErrors(t, cases)
})
