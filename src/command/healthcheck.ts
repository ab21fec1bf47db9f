import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https, { type RequestOptions } from 'node:https'
import { command } from '../package.ts'
import { exitCodes, SettingsError } from '../settings/flags.ts'
import { readSettings, secureOf } from '../settings/read.ts'
import { localUrl } from '../http/listening.ts'

/** The timeout in milliseconds; platforms probe every few seconds. */
const timeoutMilliseconds = 1500

export const usage = `
Requests /readyz of the server at URL, with a timeout of ${timeoutMilliseconds / 1000} s. Without a URL, it requests
the server that the variables for --host, --port, --tls-cert and --tls-key describe, without verifying its certificate.
`

type HealthcheckEnvironment = { env: NodeJS.ProcessEnv, stderr: { write: (text: string) => unknown } }

/** Returns the exit code. @throws {SettingsError} for invalid arguments */
export async function run ([url, ...rest]: string[], { env, stderr }: HealthcheckEnvironment): Promise<number> {
  if (rest.length > 0) {
    const help = `${command} healthcheck --help`
    throw new SettingsError(`healthcheck takes one URL at most, such as http://localhost:3000 (${help})`)
  }
  const isUrl = url === undefined || (/^https?:\/\//i.test(url) && URL.canParse(url))
  if (!isUrl) throw new SettingsError(`${JSON.stringify(url)} is not an http or https URL`)
  const address = new URL('/readyz', url ?? ownUrl(env))
  const signal = AbortSignal.timeout(timeoutMilliseconds)
  const options: RequestOptions = { agent: false, signal }
  // The server's own host is an address of this machine, so its certificate need not be verified.
  if (url === undefined) options.rejectUnauthorized = false
  const { get } = address.protocol === 'https:' ? https : http
  try {
    const [response] = await once(get(address, options), 'response') as [IncomingMessage]
    response.destroy() // stops an endless body
    if (response.statusCode === 200) return exitCodes.done
    stderr.write(`${address.href} responds with ${response.statusCode}\n`)
  } catch (error) {
    // The AggregateError of a host with several addresses has only a code.
    const { message, code } = (signal.aborted ? signal.reason : error) as NodeJS.ErrnoException
    stderr.write(`${address.href} does not respond: ${message || code}\n`)
  }
  return exitCodes.failed
}

/** Reads only the variables of the address, so that a probe does not fail for a file that another variable names. */
function ownUrl (env: NodeJS.ProcessEnv): string {
  const isOfAddress = (name: string) => /^(?:BICYCLE_CATALOGUE_)?(?:HOST|PORT|TLS_CERT|TLS_KEY)$/.test(name)
  const own = Object.entries(env).filter(([name]) => isOfAddress(name))
  const { settings } = readSettings([], Object.fromEntries(own))
  return localUrl(settings.host, settings.port, secureOf(settings) && 'https')
}
