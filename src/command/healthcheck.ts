import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { readSettings } from '../settings/read.ts'
import { secureOf } from '../settings/secure.ts'
import type { Settings } from '../settings/settings.ts'
import { urlOf } from './listening.ts'

/** A probe that takes longer has failed; platforms ask every few seconds. */
const patienceMilliseconds = 1500

/**
 * Asks a server whether it is ready, without a URL the one that the variables describe; 0 when it is, otherwise 1 and the reason
 * in a line.
 */
export async function healthcheck ([url]: string[], env: NodeJS.ProcessEnv, stderr: { write: (text: string) => unknown }): Promise<number> {
  const fault = await faultOf(url ?? ownUrl(env), { isOwn: url === undefined })
  if (fault === undefined) return 0
  stderr.write(`${fault}\n`)
  return 1
}

/** The variables that say where the server is; what has become of files that others name is no affair of a probe. */
const ofPlace = /^(?:BICYCLE_CATALOGUE_)?(?:HOST|PORT|TLS_CERT|TLS_KEY)$/

function ownUrl (env: NodeJS.ProcessEnv): string {
  const variables = Object.fromEntries(Object.entries(env).filter(([name]) => ofPlace.test(name)))
  const settings = readSettings([], variables, false) as Settings
  return urlOf(settings.host, settings.port, secureOf(settings) && 'https')
}

/** What is wrong with a server. The certificate of the own one is not checked: its host is an address of this machine. */
async function faultOf (url: string, { isOwn }: { isOwn: boolean }): Promise<string | undefined> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return `${JSON.stringify(url)} is no http or https URL`
  const address = new URL('/readyz', url)
  const signal = AbortSignal.timeout(patienceMilliseconds)
  try {
    const { get } = await (address.protocol === 'https:' ? import('node:https') : import('node:http'))
    const options = { agent: false, rejectUnauthorized: !isOwn, signal } as const
    const [answer] = await once(get(address, options).on('error', () => {}), 'response') as [IncomingMessage]
    await buffer(answer)
    return answer.statusCode === 200 ? undefined : `${address.href} answers ${answer.statusCode}`
  } catch (error) {
    const { message, code } = (signal.aborted ? signal.reason : error) as NodeJS.ErrnoException
    return `${address.href} gives no answer: ${message || code}` // of several addresses that all refuse there is a code only
  }
}
