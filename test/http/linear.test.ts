import { test } from 'tap'
import { readCredentials, verifyToken } from '../../src/http/authentication.ts'
import { acceptedCodings } from '../../src/http/coding.ts'
import { negotiate } from '../../src/http/negotiation.ts'
import { readPreferences } from '../../src/http/prefer.ts'
import { encodeUri, isHost, originForm, splitTarget } from '../../src/http/target.ts'
import { filterKinds } from '../../src/lists/filter-kinds.ts'
import { readOrdering } from '../../src/lists/ordering.ts'
import { findPage, readInteger } from '../../src/lists/page.ts'
import { parseQuery, writeQuery } from '../../src/lists/query.ts'

/** All that reads a client's text, each with the text that is worst for it: pieces that are repeated up to the size, and an end. */
const readers: [name: string, read: (text: string) => unknown, piece: string, end?: string][] = [
  ['decimal, digits', text => filterKinds.decimal.read(text, ''), '1', 'x'],
  ['decimal, decimals', text => filterKinds.decimal.read(`.${text}`, ''), '1', '.'],
  ['integer', text => filterKinds.integer.read(text, ''), '1', 'x'],
  ['date', text => filterKinds.date.read(`2026-01-01T00:00:00.${text}`, ''), '1', 'x'],
  ['date that is one', text => filterKinds.date.read(`2026-01-01T00:00:00.${text}`, ''), '1', 'Z'],
  ['boolean', text => filterKinds.boolean.read(text, ''), ' ', 'x'],
  ['search, blanks', text => filterKinds.search.read(text, ''), ' ', 'x'],
  ['search, words', text => filterKinds.search.read(text, ''), 'a '],
  ['comma list', text => filterKinds.anyOf.read(text, ''), 'a, '],
  ['ordering', text => readOrdering(text, ['title']), 'title,', '-'],
  ['page, digits', text => readInteger(text), '1', 'x'],
  ['page, underscores', text => readInteger(text), '1_', 'x'],
  ['page, digits of another script', text => readInteger(text), '\u0669'],
  ['page, blanks', text => readInteger(text), ' ', 'x'],
  ['page size', text => findPage(48, '1', text), '0', '_'],
  ['query', text => parseQuery(text), '%', '%ZZ'],
  ['query, written', text => writeQuery([['a', text]]), "'"],
  ['Accept, entries', text => negotiate(undefined, text), ','],
  ['Accept, ranges', text => negotiate(undefined, text), 'text/html,'],
  ['Accept, parameters', text => negotiate(undefined, text), 'text/html;', ';a=b'],
  ['Accept, quotes', text => negotiate(undefined, `*/*;indent="${text}`), '"'],
  ['Accept, indent of blanks', text => negotiate(undefined, `*/*;indent="${text}`), ' ', 'x"'],
  ['Accept, indent of digits', text => negotiate(undefined, `*/*;indent=${text}`), '1', 'x'],
  ['Accept-Encoding, codings', text => acceptedCodings(text), 'br;q=0.5,', 'x'],
  ['Accept-Encoding, blanks', text => acceptedCodings(`br${text}`), ' ', 'x'],
  ['Accept-Encoding, name', text => acceptedCodings(text), 'x', ' y'],
  ['credentials', text => readCredentials(text), ' ', 'Token'],
  ['credentials, words', text => readCredentials(text), 'Token '],
  ['token', text => verifyToken('secret', `bct_${text}`), 'a'],
  ['host', text => isHost(text), 'a', '!'],
  ['host, address', text => isHost(`[${text}`), 'a', ':'],
  ['target', text => splitTarget(text), '/%20', '?'],
  ['target, absolute', text => originForm(`http://${text}`), '/', '#'],
  ['location', text => encodeUri(text), '"'],
  ['Prefer, blanks', text => readPreferences(text), ' ', '='],
  ['Prefer, preferences', text => readPreferences(text), 'a=b;c="d",', '"'],
  ['Prefer, quotes', text => readPreferences(text), '\\"', 'x'],
  ['Prefer, open quote', text => readPreferences(`a="${text}`), '\\\\'],
  ['Prefer, names', text => readPreferences(text), 'a', '"']
]

/** What Node takes of a request's headers. */
const most = 16 * 2 ** 10

const textOf = (piece: string, end: string, length: number) => piece.repeat(length / piece.length) + end

/** The least time, in milliseconds, that a reader takes for a text, of as many tries as fit into a short while, and so many that one of them is not disturbed. */
function least (read: (text: string) => unknown, text: string): number {
  let least = Infinity
  const until = performance.now() + 12
  for (let tries = 0; tries < 30 || (tries < 500 && performance.now() < until); tries++) {
    const begun = performance.now()
    read(text)
    least = Math.min(least, performance.now() - begun)
  }
  return least
}

/** Below this, in milliseconds, a ratio says more about the clock than about the reader. */
const negligible = 0.05

for (const [name, read, piece, end = ''] of readers) {
  test(`${name}: twice the text takes at most three times as long`, async t => {
    const ratio = () => least(read, textOf(piece, end, most)) / Math.max(negligible, least(read, textOf(piece, end, most / 2)))
    // A busy machine can spoil one measurement, not three.
    t.ok([ratio, ratio, ratio].some(measure => measure() < 3))
  })
}
