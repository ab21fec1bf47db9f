import { test } from 'tap'
import { tokensOf } from '../../src/command/ready.ts'
import { defaultSettings, developmentTokens } from '../../src/settings/settings.ts'

test('a token is ready-made where no setting gives any', async t => {
  const tokens = { issue: () => 'bct_x', verify: () => undefined, invalidAfterRestart: true, hasForm: true }
  t.match(tokensOf(tokens, defaultSettings), { token: 'bct_x', note: /invalidates issued tokens/ })
  t.strictSame(tokensOf(tokens, { ...defaultSettings, tokens: ['mine'] }), {})
  t.strictSame(tokensOf(tokens, { ...defaultSettings, tokens: developmentTokens }), { token: 'dev' })
  t.strictSame(tokensOf(tokens, { ...defaultSettings, tokensFile: ['mine'] }), {})
  t.strictSame(tokensOf({ ...tokens, invalidAfterRestart: false }, defaultSettings), {})
})
