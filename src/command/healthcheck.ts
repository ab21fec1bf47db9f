import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { command } from '../package.ts'
import { type Command, readSettings, secureOf } from '../settings/read.ts'
import { localUrl } from './listening.ts'

/** The timeout in milliseconds; platforms probe every few seconds. */
const timeoutMilliseconds = 1500

export const usage = `Usage: ${command} healthcheck [URL]

Requests /readyz of the server at URL, with a timeout of ${timeoutMilliseconds / 1000} s. Without a URL it is the server that the variables
for --host, --port, --tls, --tls-cert and --tls-key describe; its certificate is not checked, that of any other server is.

Exits with 0 when the server is ready, otherwise with 1 and the reason.
`

type Surroundings = Pick<NodeJS.Process, 'env'> & Record<'stderr', Pick<NodeJS.WriteStream, 'write'>>

/** Requests the readiness of a server, by default the one that the variables describe; returns the exit code. */
export async function healthcheck (args: string[], { env, stderr }: Surroundings): Promise<number> {
  const fault = await faultOf(args, env)
  if (fault === undefined) return 0
  stderr.write(`${fault}\n`)
  return 1
}

const isPlace = (variable: string) => /^(?:BICYCLE_CATALOGUE_)?(?:HOST|PORT|TLS|TLS_CERT|TLS_KEY)$/.test(variable)

/** Reads only the variables of the address, so that a probe does not fail for a file that another variable names. */
function ownUrl (env: NodeJS.ProcessEnv): string {
  const { settings } = readSettings([], Object.fromEntries(Object.entries(env).filter(([name]) => isPlace(name))), false) as Command
  return localUrl(settings.host, settings.port, settings.tls || secureOf(settings) ? 'https' : 'http')
}

async function faultOf ([url, ...rest]: string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (rest.length > 0) return `healthcheck takes one URL at most, such as http://127.0.0.1:3000 (${command} healthcheck --help)`
  // The server's own host is an address of this machine, so its certificate need not be verified.
  if (url === undefined) return unreadiness(ownUrl(env), { rejectUnauthorized: false })
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return `${JSON.stringify(url)} is no http or https URL`
  return unreadiness(url)
}

/** Returns why a server is not ready; undefined when it is. */
async function unreadiness (url: string, trust: { rejectUnauthorized?: false } = {}): Promise<string | undefined> {
  const address = new URL('/readyz', url)
  const signal = AbortSignal.timeout(timeoutMilliseconds)
  try {
    const { get } = await (address.protocol === 'https:' ? import('node:https') : import('node:http'))
    const options = { agent: false, signal, ...trust } as const
    const [response] = await once(get(address, options).on('error', () => {}), 'response') as [IncomingMessage]
    response.destroy() // stops an endless body
    return response.statusCode === 200 ? undefined : `${address.href} responds with ${response.statusCode}`
  } catch (error) {
    const { message, code } = (signal.aborted ? signal.reason : error) as NodeJS.ErrnoException
    return `${address.href} does not respond: ${message || code}` // AggregateError of several addresses has only a code
  }
}
