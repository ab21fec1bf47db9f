import { maskSecrets } from '../base/mask.ts'
import { printable, short, type Output } from '../base/text.ts'
import { listNames, requestHeaders, requestRate, serviceUrl } from '../client/arguments.ts'
import { withoutMark } from '../catalogue/files.ts'
import { createClient, Unreachable, type ClientOptions, type HttpRequest } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { name, version } from '../package.ts'
import { createProgress } from '../service/progress.ts'
import { readValue, SettingsError } from '../settings/flags.ts'
import { asciiToken, type Kind } from '../settings/kinds.ts'
import { recordService, type ServiceRecording } from './record.ts'
import type { Get } from './recorder.ts'

/** Bound the work that a service can cause. Times are in milliseconds. */
export const defaultLimits = {
  retries: 9,
  idleTimeout: 30_000,
  timeout: 600_000,
  maxWait: 600_000,
  /** The most bytes of a response. */
  maxBytes: 2 ** 28,
  /** The most pages of a list. */
  pages: 10_000,
  /** The orders of an unpaged list with more bytes are not recorded. */
  arrayBytes: 2 ** 24,
  /** The most characters of all records and responses in memory, and the most JSON objects in one response. */
  characters: 2 ** 28,
  objects: 3_000_000,
  /** The most bytes of all images together. */
  imageBytes: 2 ** 32
}

export type PullLimits = typeof defaultLimits & Pick<ClientOptions, 'wait' | 'now'>

/** The flags of a service, for `readArguments`. */
export const serviceFlags = { token: asciiToken, header: requestHeaders, rate: requestRate, lists: listNames }

type ServiceValues = {
  token?: string
  header?: Readonly<Record<string, string>>
  rate?: number
  lists?: readonly string[]
}

/** The URL of a service; it is read with a single slash at its end, so that paths below it resolve. */
const recordedUrl: Kind<URL> = {
  expects: 'an http or https URL without a user, query or fragment, such as https://bikes.example.org',
  read: text => text.includes('@') ? undefined : serviceUrl.read(text.replace(/\/*$/, '/'))
}

export type ServicePlan = ReturnType<typeof planService>

/** @throws {SettingsError} for an invalid URL, and without a list to read */
export function planService (url: string, { token, header = {}, rate = 5, lists }: ServiceValues, help: string) {
  const readable = resources.filter(({ access }) => access === 'public' || token !== undefined)
  const wanted = readable.filter(({ key }) => lists === undefined || lists.includes(key))
  const base = readValue(recordedUrl, 'the URL', url)
  if (wanted.length === 0) throw new SettingsError(`the lists of version 2.1 need --token (${help})`)
  const secrets = Object.values(header)
  if (token !== undefined) secrets.push(token)
  return { base, token, header, rate, wanted, secrets }
}

/** The streams of a command that reads a service, and the signal that ends it early. */
export type ServiceEnvironment = { stdout: Output, stderr: Output, signal: AbortSignal }

/** The requests that the lists of the built-in data need, by their access. */
const typicalRequests = { public: 19, token: 72 }

/**
 * Reads the lists of a service, as {@link recordService} does.
 * @throws {Error} if the service has no bikes, or none of the lists, and {@link TooLarge} before all records are read
 */
export async function readService (
  { base, token, header, rate, wanted, secrets }: ServicePlan,
  { stderr, signal }: ServiceEnvironment,
  limits: PullLimits,
  earlier?: ServiceRecording
) {
  const progress = createProgress(stderr, {
    rate, typicalRequests: wanted.reduce((sum, { access }) => sum + typicalRequests[access], 0)
  })
  const messages = new Set<string>()
  const warn = (message: string) => { messages.add(message) }
  const send = createClient(base, {
    ...limits,
    rate,
    signal,
    headers: { accept: 'application/json, */*;q=0.1', 'user-agent': `${name}/${version}` },
    ownHeaders: header,
    onRequest: ({ method, target }: HttpRequest) => progress.tell(safe(`${method} ${target}`, secrets)),
    onWait: progress.show
  })
  const get: Get = async (url, token, request) => {
    const headers: Record<string, string> = { ...request?.headers }
    if (token) headers['authorization'] = `Token ${token}`
    const response = await send({ method: 'GET', target: url.pathname + url.search, ...request, headers })
    const { status, body } = response
    if (status > 599) throw new Unreachable(`${url.href} responds with ${status}, which is not an HTTP status code`)
    assertFewObjects(body, url, limits.objects)
    return { ...response, body: withoutMark(body) } // byte order marks are dropped (RFC 8259, 8.1)
  }
  let held = 0
  const hold = (characters: number) => {
    held += characters
    if (held > limits.characters) throw new TooLarge(limits.characters)
  }
  const result = await recordService({ get, base, token, limits, warn, hold }, wanted, earlier)
  signal.throwIfAborted()
  assertFound(base, wanted, result.recording)
  return { ...result, get, progress, messages, warn }
}

/** @throws {Error} if the service has no bikes, or none of the lists */
function assertFound (base: URL, wanted: readonly Resource[], { lists }: ServiceRecording): void {
  const missing = wanted.filter(({ key }) => lists.get(key)?.responses['']?.status === 404)
  const [first] = missing // the bikes, if they are missing
  if (first === undefined) return
  const isUsable = first.key !== 'bikes' && missing.length < wanted.length
  if (isUsable) return
  const { href } = new URL(`.${first.path}`, base)
  throw new Error(`${href} responds with 404; ${adviceFor(base)}`)
}

/** Returns how to correct a URL that has no lists below it: add a base path, or end it before /api/. */
function adviceFor ({ href, pathname }: URL): string {
  if (pathname === '/') return `if the service has a base path, add it: ${href}path`
  const end = href.search(/\/api\/(?:v[12]\/|$)/)
  if (end >= 0) return `the URL ends before /api/: ${href.slice(0, end)}/`
  return `is the path ${pathname} of the URL right? The lists are below ${href}api/`
}

/** Thrown when the lists of a service are larger than what one command records. */
export class TooLarge extends Unreachable {
  constructor (characters: number) {
    super(`the lists have more than ${characters / 2 ** 20} MB, the most at a time; record fewer of them with --lists`)
  }
}

/** @throws {Error} for a body with more JSON objects, as each of them takes memory */
function assertFewObjects (body: Buffer, { href }: URL, most: number): void {
  let count = 0 // of opening braces: at least that of the objects
  for (let at = body.indexOf('{'); at >= 0; at = body.indexOf('{', at + 1)) count++
  if (count <= most) return
  throw new Error(`${href}: more than ${most} records and objects in them, which do not fit in memory`)
}

/** The most messages to print. */
const maxPrinted = 50

/** Returns the lines of messages, the first ones of many. */
export function messageLines (messages: Iterable<string>, secrets: readonly string[]): string {
  const lines = Array.from(messages, message => `${safe(message, secrets)}\n`)
  const more = lines.splice(maxPrinted).length
  if (more > 0) lines.push(`… and ${more} more\n`)
  return lines.join('')
}

/** Escapes and shortens a string from the service, and masks secrets in it. */
export function safe (text: string, secrets: readonly string[]): string {
  return short(printable(maskSecrets(text, secrets)), 500)
}
