import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Reach } from '../http/listening.ts'
import type { Tokens } from '../http/tokens.ts'
import { developmentTokenOf } from '../settings/read.ts'
import { developmentTokens, type Settings } from '../settings/settings.ts'

/** The message to a parent process, and the line on standard output. */
export type Ready = Record<'url' | 'version' | 'data', string> & Record<'port' | 'pid', number> & {
  metrics?: string | undefined
  /** Issued at the start, unless settings give tokens or a secret. */
  token: string | undefined
}

export type Started = {
  ready: Ready
  reach: Reach
  catalogue: Catalogue
  settings: Settings
  note?: string | undefined
}

type Issuer = Pick<Tokens, 'issue' | 'invalidAfterRestart'>
type ReadyToken = { token?: string, note?: string }

/** Returns the token of `dev`, or issues one, with a note on restarts; none if settings give tokens or a secret. */
export function tokensOf ({ issue, invalidAfterRestart }: Issuer, settings: Settings): ReadyToken {
  const { tokens, tokensFile, upstream } = settings
  const development = developmentTokenOf(settings)
  if (development !== undefined) return { token: development }
  const isConfigured = tokensFile !== undefined || upstream !== undefined
  const hasTokens = tokens !== undefined && tokens !== developmentTokens
  if (isConfigured || hasTokens || !invalidAfterRestart) return {}
  const note = 'Restarting the server invalidates issued tokens. Start with --token-secret to keep them valid.'
  return { note, token: issue() }
}
