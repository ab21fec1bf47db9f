import fc from 'fast-check'
import { test } from 'tap'
import { issueToken, verifyToken } from '../../src/http/authentication.ts'

const moment = new Date('2026-11-20T12:34:56.789Z')

test('a token tells its id and its time of issue to the second', async t => {
  const token = issueToken('secret', moment)
  t.match(token, /^bct_[\w-]{48}$/)
  t.match(verifyToken('secret', token), { id: /^[\w-]{12}$/, issuedAt: new Date('2026-11-20T12:34:56Z') })
  t.not(verifyToken('secret', token)?.id, verifyToken('secret', issueToken('secret', moment))?.id)
})

test('only the right secret verifies', async () => {
  fc.assert(fc.property(fc.string(), fc.string(), (secret, other) => {
    const token = issueToken(secret, moment)
    return verifyToken(secret, token) !== undefined && (other === secret || verifyToken(other, token) === undefined)
  }))
})

test('any one changed, missing or added character is refused', async () => {
  const token = issueToken('secret', moment)
  const place = fc.nat(token.length - 1)
  const character = fc.constantFrom(...'ABCXYZabcxyz0189-_ ')
  fc.assert(fc.property(place, character, (at, character) => {
    const changed = token.slice(0, at) + character + token.slice(at + 1)
    return changed === token || verifyToken('secret', changed) === undefined
  }), { numRuns: 2000 })
  fc.assert(fc.property(place, character, (at, character) =>
    verifyToken('secret', token.slice(0, at) + token.slice(at + 1)) === undefined &&
    verifyToken('secret', token.slice(0, at) + character + token.slice(at)) === undefined))
})

test('a token that is rightly signed is refused when its checksum is not right', async t => {
  const token = issueToken('secret', moment)
  t.equal(verifyToken('secret', `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`), undefined)
  t.equal(verifyToken('secret', 'bct_'), undefined)
  t.equal(verifyToken('secret', ''), undefined)
})
