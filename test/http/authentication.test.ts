import fc from 'fast-check'
import type { FastifyRequest } from 'fastify'
import { test } from 'tap'
import { authenticate } from '../../src/http/authentication.ts'
import { createTokens } from '../../src/http/tokens.ts'
import { ApiError } from '../../src/http/errors.ts'
import { defaultSettings, type Settings } from '../../src/settings/settings.ts'

const not = 'Authentication credentials were not provided.'
const none = 'Invalid token header. No credentials provided.'
const spaces = 'Invalid token header. Token string should not contain spaces.'
const characters = 'Invalid token header. Token string should not contain invalid characters.'

/** Headers as Node gives them, one character a byte. */
const headers: [header: string | undefined, outcome: string][] = [
  [undefined, not],
  ['', not],
  ['Bearer sekret', not],
  ['Basic x', not],
  ['Token=sekret', not],
  ['sekret', not],
  ['Tokens sekret', not],
  ['Token', none],
  ['Token ', none],
  ['Token a b', spaces],
  ['Token sekret, Token sekret', spaces],
  ['Token \xE9', characters],
  ['Token sekret', 'sekret'],
  ['token sekret', 'sekret'],
  ['TOKEN sekret', 'sekret'],
  ['Token  sekret', 'sekret'],
  ['Token\tsekret', 'sekret'],
  ['Token SEKRET', 'SEKRET'], ['Token "sekret"', '"sekret"'], ['Token sekret,', 'sekret,'], ['Token \xC3\xA9', 'é']
]

test('the Authorization header is read as in the reference', async t => {
  for (const [authorization, outcome] of headers) {
    const header = JSON.stringify(authorization)
    const read = authenticate({ headers: { authorization } } as FastifyRequest, { verify: token => token })
    t.equal(read instanceof ApiError ? read.message : read, outcome, header)
    if (read instanceof ApiError) t.match(read, { statusCode: 401, headers: { 'www-authenticate': 'Token' } }, outcome)
  }
})

const tokens = (settings: Partial<Settings>) => createTokens({ ...defaultSettings, ...settings })

test('fixed tokens are valid as they are, from the setting and the file', async t => {
  const { verify } = tokens({ tokens: ['sekret', 'other'], tokensFile: ['filed'] })
  for (const token of ['sekret', 'other', 'filed']) t.ok(verify(token), token)
  for (const token of ['SEKRET', 'sekre', 'sekret ', '', 'é']) t.equal(verify(token), undefined, token)
  t.not(verify('sekret'), verify('other'), 'each has its own name')
  t.notMatch(verify('sekret'), 'sekret', 'a name does not reveal the token')
})

test('issued tokens are valid on every server with the secret', async t => {
  const [one, replica, stranger] = [tokens({ tokenSecret: 's' }), tokens({ tokenSecretFile: 's' }), tokens({})]
  const token = one.issue()
  t.equal(replica.verify(token), one.verify(token))
  t.match([token, one.verify(token)], [/^bct_[\w-]{36}$/, /^[\w-]{12}$/])
  t.not(one.verify(token), one.verify(one.issue()))
  t.equal(stranger.verify(token), undefined)
  t.ok(stranger.verify(stranger.issue()))
  t.same([one.invalidAfterRestart, replica.invalidAfterRestart, stranger.invalidAfterRestart], [false, false, true])
})

test('a token with a changed, missing or added character is invalid', async t => {
  const { issue, verify } = tokens({ tokenSecret: 's' })
  const token = issue()
  const place = fc.nat(token.length - 1)
  const character = fc.constantFrom(...'ABCXYZabcxyz0189-_ ')
  fc.assert(fc.property(place, character, (at, character) => {
    const changed = token.slice(0, at) + character + token.slice(at + 1)
    return changed === token || verify(changed) === undefined
  }), { numRuns: 2000 })
  fc.assert(fc.property(place, character, (at, character) =>
    verify(token.slice(0, at) + token.slice(at + 1)) === undefined &&
    verify(token.slice(0, at) + character + token.slice(at)) === undefined))
  t.equal(verify('bct_'), undefined)
})

test('only the same secret verifies', async () => {
  fc.assert(fc.property(fc.string(), fc.string(), (secret, other) => {
    const token = tokens({ tokenSecret: secret }).issue()
    const isValid = (tokenSecret: string) => tokens({ tokenSecret }).verify(token) !== undefined
    return isValid(secret) && (other === secret || !isValid(other))
  }))
})
