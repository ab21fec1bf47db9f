import { test } from 'tap'
import { createTokens, readCredentials } from '../../src/http/authentication.ts'
import { ApiError } from '../../src/http/errors.ts'
import { defaultSettings, type Settings } from '../../src/settings/settings.ts'

const not = 'Authentication credentials were not provided.'
const none = 'Invalid token header. No credentials provided.'
const spaces = 'Invalid token header. Token string should not contain spaces.'
const characters = 'Invalid token header. Token string should not contain invalid characters.'

/** Headers as Node gives them, one character a byte. */
const headers: [header: string | undefined, outcome: string][] = [
  [undefined, not], ['', not], ['Bearer sekret', not], ['Basic x', not], ['Token=sekret', not], ['sekret', not], ['Tokens sekret', not],
  ['Token', none], ['Token ', none], ['Token a b', spaces], ['Token sekret, Token sekret', spaces], ['Token \xE9', characters],
  ['Token sekret', 'sekret'], ['token sekret', 'sekret'], ['TOKEN sekret', 'sekret'], ['Token  sekret', 'sekret'], ['Token\tsekret', 'sekret'],
  ['Token SEKRET', 'SEKRET'], ['Token "sekret"', '"sekret"'], ['Token sekret,', 'sekret,'], ['Token \xC3\xA9', 'é']
]

test('the header is read as in the reference', async t => {
  for (const [header, outcome] of headers) {
    const read = readCredentials(header)
    t.equal(read instanceof ApiError ? read.message : read, outcome, JSON.stringify(header))
    if (read instanceof ApiError) t.match(read, { statusCode: 401, headers: { 'www-authenticate': 'Token' } })
  }
})

const start = Date.parse('2026-01-01T00:00:00Z')

function tokens (settings: Partial<Settings>, now = () => start) {
  return createTokens({ ...defaultSettings, ...settings }, now)
}

test('fixed tokens are good as they are, from the setting and the file', async t => {
  const { verify } = tokens({ tokens: ['sekret', 'other'], tokensFile: ['filed'] })
  for (const token of ['sekret', 'other', 'filed']) t.ok(verify(token), token)
  for (const token of ['SEKRET', 'sekre', 'sekret ', '', 'é']) t.equal(verify(token), undefined, token)
  t.not(verify('sekret'), verify('other'), 'each has a name of its own')
  t.notMatch(verify('sekret'), 'sekret', 'a name gives the token not away')
})

test('issued tokens are good wherever the secret is known', async t => {
  const [one, replica, stranger] = [tokens({ tokenSecret: 's' }), tokens({ tokenSecretFile: 's' }), tokens({})]
  const token = one.issue()
  t.equal(replica.verify(token), one.verify(token))
  t.ok(one.verify(token))
  t.equal(stranger.verify(token), undefined)
  t.ok(stranger.verify(stranger.issue()))
  t.same([one.endWithProcess, replica.endWithProcess, stranger.endWithProcess], [false, false, true])
})

test('issued tokens end with their lifetime or when they are revoked', async t => {
  let now = start
  const settings = { tokenSecret: 's', tokenLifetime: 60 }
  const { issue, verify } = tokens(settings, () => now)
  const token = issue()
  now = start + 60_000
  t.ok(verify(token))
  now = start + 60_001
  t.equal(verify(token), undefined)
  t.ok(tokens({ tokenSecret: 's' }, () => now).verify(token), 'without a lifetime it goes on')
  const id = String(tokens({ tokenSecret: 's' }).verify(token))
  for (const entry of [id, `bct_${id}`, token]) {
    for (const revoked of [{ revokedTokens: [entry] }, { revokedTokensFile: ['abcdefghijkl', entry] }]) t.equal(tokens({ tokenSecret: 's', ...revoked }).verify(token), undefined, entry)
  }
})
