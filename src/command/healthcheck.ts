import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { name } from '../package.ts'
import { readSettings } from '../settings/read.ts'
import { secureOf } from '../settings/secure.ts'
import type { Settings } from '../settings/settings.ts'
import { urlOf } from './listening.ts'

/** A probe that takes longer has failed; platforms ask every few seconds. */
const patienceMilliseconds = 1500

const usage = `Usage: ${name} healthcheck [URL]

Asks the server at URL whether it is ready (/readyz), and waits ${patienceMilliseconds / 1000} s at most. Without a URL it is the one
that the variables HOST, PORT, TLS_CERT and TLS_KEY describe; its certificate is not checked, that of another is.

Exits with 0 when it is ready, otherwise with 1 and the reason in a line.
`

type Surroundings = Pick<NodeJS.Process, 'env'> & Record<'stdout' | 'stderr', Pick<NodeJS.WriteStream, 'write'>>

/**
 * Asks a server whether it is ready, without a URL the one that the variables describe; 0 when it is, otherwise 1 and the reason
 * in a line.
 */
export async function healthcheck (args: string[], { env, stdout, stderr }: Surroundings): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    stdout.write(usage)
    return 0
  }
  const fault = await faultOf(args, env)
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

async function faultOf ([url, ...rest]: string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (rest.length > 0) return `healthcheck takes one URL at most, such as http://127.0.0.1:3000 (${name} healthcheck --help)`
  // The host of the own server is an address of this machine, so that nobody else answers there with another certificate.
  if (url === undefined) return unreadiness(ownUrl(env), { rejectUnauthorized: false })
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return `${JSON.stringify(url)} is no http or https URL`
  return unreadiness(url)
}

/** Why a server is not ready; undefined when it is. */
async function unreadiness (url: string, trust: { rejectUnauthorized?: false } = {}): Promise<string | undefined> {
  const address = new URL('/readyz', url)
  const signal = AbortSignal.timeout(patienceMilliseconds)
  try {
    const { get } = await (address.protocol === 'https:' ? import('node:https') : import('node:http'))
    const options = { agent: false, signal, ...trust } as const
    const [answer] = await once(get(address, options).on('error', () => {}), 'response') as [IncomingMessage]
    await buffer(answer)
    return answer.statusCode === 200 ? undefined : `${address.href} answers ${answer.statusCode}`
  } catch (error) {
    const { message, code } = (signal.aborted ? signal.reason : error) as NodeJS.ErrnoException
    return `${address.href} gives no answer: ${message || code}` // of several addresses that all refuse there is a code only
  }
}
