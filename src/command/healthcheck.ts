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
  const fault = await faultOf(url ?? ownUrl(env))
  if (fault === undefined) return 0
  stderr.write(`${fault}\n`)
  return 1
}

function ownUrl (env: NodeJS.ProcessEnv): string {
  const settings = readSettings([], env, false) as Settings
  return urlOf(settings.host, settings.port, secureOf(settings) && 'https')
}

async function faultOf (url: string): Promise<string | undefined> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return `${JSON.stringify(url)} is no http or https URL`
  const address = new URL('/readyz', url).href
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(patienceMilliseconds) })
    await answer.arrayBuffer()
    return answer.status === 200 ? undefined : `${address} answers ${answer.status}`
  } catch (error) {
    const { cause, message } = error as Error
    return `${address} gives no answer: ${cause instanceof Error ? cause.message : message}`
  }
}
