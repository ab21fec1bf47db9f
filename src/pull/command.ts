import { resolve } from 'node:path'
import type { Recording } from '../../schemas/stored.ts'
import { counted, pathWord, printable, short } from '../base/text.ts'
import { countLine, shownPath, type Output } from '../catalogue/errors/error.ts'
import { listNames, requestHeaders, requestRate, serviceUrl } from '../client/arguments.ts'
import { createClient, Unreachable, type ClientOptions, type HttpRequest } from '../client/client.ts'
import { maskSecrets } from '../client/mask.ts'
import { resources } from '../lists/resources.ts'
import { command, name, version } from '../package.ts'
import { exitCodes, readArguments, readValue, SettingsError } from '../settings/flags.ts'
import { asciiToken, type Kind } from '../settings/kinds.ts'
import { assertWritable, readPulled, readRecordingFile, stageRecording } from './directory.ts'
import { fetchImages, imageLinks } from './images.ts'
import { recordService, type ServiceRecording } from './record.ts'
import { getWith, type Get } from './recorder.ts'
import { createStage, removeLeftovers } from './stage.ts'

/** Bound the work that a service can cause; 100,000 bikes stay far below. */
const clientLimits = { retries: 9, idleTimeout: 30_000, timeout: 600_000, maxWait: 600_000, maxBytes: 2 ** 27 }
const defaultLimits = {
  ...clientLimits, pages: 10_000, arrayBytes: 2 ** 24, listBytes: 2 ** 28, listObjects: 3_000_000, imageBytes: 2 ** 32
}

type PullLimits = typeof defaultLimits & Pick<ClientOptions, 'wait' | 'now'>

/** The most errors, and the most messages about missing images, to print. */
const maxPrinted = 50

const pullHeaders = { accept: 'application/json, */*;q=0.1', 'user-agent': `${name}/${version}` }

const clearLine = '\r\x1b[K'

export const usage = `
Records the lists of the service at URL in DIR. ${command} --data DIR serves them unchanged.
If the service limits requests for longer than ten minutes, run the same command later to continue.

  --token T      a token for version 2.1; without one, only v1 is read
  --header LINE  a header for a gateway, such as 'X-Api-Key: abc'; repeatable, sent only below the path of URL
  --lists A,B    only these lists, such as saddles,brakes; the others in DIR stay as they are
  --rate N       most requests a second (5); it waits after 429, 502 and 503
  --images       also downloads the images below URL/media/; without it, images keep their URLs
  --overwrite    replaces the recording in an existing DIR, all of it or none, and leaves all other files

Exits with 0 if the lists are written, even if they differ from the contract
(${command} check DIR lists the differences).
Exits with 2 for invalid arguments, and if the service cannot be read or DIR cannot be written.
`

/** Adds a slash at the end. */
const recordedUrl: Kind<URL> = {
  expects: 'an http or https URL without a user, query or fragment, such as https://bikes.example.org',
  read: text => text.includes('@') ? undefined : serviceUrl.read(text.replace(/\/*$/, '/'))
}

type PullEnvironment = {
  stdout: { write: (text: string) => unknown }
  stderr: Output
  /** Ends the command early and removes its files. */
  signal: AbortSignal
}

export async function run (
  args: string[], environment: PullEnvironment, limits: Partial<PullLimits> = {}
): Promise<number> {
  const { stderr, signal } = environment
  let secrets: readonly string[] = []
  try {
    const plan = readPull(args)
    secrets = plan.secrets
    return await pull(plan, environment, { ...defaultLimits, ...limits })
  } catch (error) {
    if (stderr.isTTY) stderr.write(clearLine)
    const message = signal.aborted ? 'stopped; the directory was not written' : safe((error as Error).message, secrets)
    stderr.write(`${message}\n`)
    return exitCodes.unusable
  }
}

type Pull = ReturnType<typeof readPull>

/** @throws {SettingsError} for the first invalid argument */
function readPull (args: string[]) {
  const help = `${command} pull --help`
  const kinds = { token: asciiToken, header: requestHeaders, rate: requestRate, lists: listNames }
  const { values, isOn, rest } = readArguments(args, kinds, ['images', 'overwrite'], help)
  const [url, directory, ...others] = rest
  if (url === undefined || !directory || others.length > 0) {
    throw new SettingsError(`pull takes a URL and a directory, such as https://bikes.example.org my-data (${help})`)
  }
  const { token, lists, rate = 5, header = {} } = values
  const known = resources.filter(({ access }) => access === 'public' || token !== undefined)
  const wanted = known.filter(({ key }) => lists === undefined || lists.includes(key))
  const base = readValue(recordedUrl, 'the URL', url)
  if (wanted.length === 0) throw new SettingsError(`the lists of version 2.1 need --token (${help})`)
  const secrets = Object.values(header)
  if (token !== undefined) secrets.push(token)
  return {
    base, directory: resolve(directory), token, header, rate, lists, wanted, secrets,
    images: isOn('images'), overwrite: isOn('overwrite')
  }
}

async function pull (plan: Pull, environment: PullEnvironment, limits: PullLimits): Promise<number> {
  const { base, directory, token, rate, wanted, secrets } = plan
  const { stderr, signal } = environment
  const earlier = await readEarlier(plan)
  let requests = 0
  function progress (text: string): void {
    if (stderr.isTTY) stderr.write(clearLine + safe(text, secrets).slice(0, 78))
  }
  const onRequest = ({ target }: HttpRequest) => progress(`request ${++requests}: ${target}`)
  const onWait = (reason: string) => progress(`request ${requests}: ${reason}`)
  const client = createClient(base, {
    ...limits, rate, signal, headers: pullHeaders, ownHeaders: plan.header, onRequest, onWait
  })
  const get = getWith(client)
  const messages = new Set<string>()
  const warn = (message: string) => { messages.add(message) }
  const listGet = within({ bytes: limits.listBytes, objects: limits.listObjects }, get)
  const service = { get: listGet, base, token, limits, warn }
  const { recording, error, hasRecords } = await recordService(service, wanted, earlier.known)
  signal.throwIfAborted()
  assertFound(plan, recording)

  const media = new URL('./media/', base)
  const links = await imageLinks(media, recording.lists.values(), signal)
  await removeLeftovers(directory)
  const stage = createStage(directory)
  const imageGet = within({ bytes: limits.imageBytes }, get)
  let count = 0
  process.once('exit', stage.discard) // a second signal exits at once
  try {
    if (plan.images) count = await fetchImages(imageGet, media, links, stage, warn)
    signal.throwIfAborted()
    await stageRecording(stage, recording, originOf(plan, earlier, count > 0), keptBy(plan, earlier))
    signal.throwIfAborted()
    stage.commit()
  } finally {
    process.removeListener('exit', stage.discard)
    stage.discard()
  }

  progress('')
  const counts = countsOf(recording, hasRecords)
  const lists = `${counted(counts.size, 'list')} of ${wanted.length} are in ${directory}`
  const rest = hasRecords ? 'all records are recorded, but some responses are missing' : lists
  if (error !== undefined) warn(`${error.message}; ${rest}; run the same command later to record the rest`)
  writeMessages(messages, plan, environment)
  if (!hasRecords) return exitCodes.unusable
  const left = plan.images ? 0 : links.size
  if (left > 0) stderr.write(`images left at ${media.href}: ${left} (--images downloads them)\n`)
  if (count > 0) counts.set('images', count)
  writeResult(`${countLine(Object.fromEntries(counts))} in ${requests} requests`, directory, environment)
  return exitCodes.done
}

/**
 * Returns the recording that a directory has, and its lists if the service limited an earlier pull. @throws {Error} if
 * it must stay
 */
async function readEarlier ({ base, directory, lists, overwrite }: Pull) {
  const replacesAll = overwrite && lists === undefined
  const about = await readRecordingFile(directory).catch((error: Error) => {
    if (!replacesAll) throw error
    return undefined // an invalid one, or that of another version
  })
  const isOwn = about?.url === base.href
  const isContinued = isOwn && Boolean(about.unfinished?.length)
  await assertWritable(directory, overwrite || isContinued)
  const isOther = lists !== undefined && about !== undefined && !isOwn
  if (isOther) throw new Error(`${directory} has lists of ${about.url}: pull all lists`)
  return { about, isOwn, known: isContinued ? await readPulled(directory, about) : undefined }
}

type Earlier = Awaited<ReturnType<typeof readEarlier>>

/** Returns where a recording is from, and where its images are if any were downloaded, now or earlier. */
function originOf ({ base }: Pull, { about, isOwn }: Earlier, hasImages: boolean): Recording {
  const origin: Recording = { url: base.href }
  if (hasImages || (isOwn && about?.media !== undefined)) origin.media = new URL('./media/', base).href
  return origin
}

/** Returns the recording whose other lists stay; undefined where all are replaced. */
const keptBy = ({ lists }: Pull, { about = {} }: Earlier) => lists === undefined ? undefined : about

/** @throws {Error} if the service has no bikes, or none of the lists */
function assertFound ({ base, wanted }: Pull, { lists }: ServiceRecording): void {
  const missing = wanted.filter(({ key }) => lists.get(key)?.responses['']?.status === 404)
  const [first] = missing
  const isEnough = first?.key !== 'bikes' && missing.length < wanted.length
  if (first === undefined || isEnough) return
  const { href } = new URL(`.${first.path}`, base)
  throw new Error(`${href} responds with 404; ${adviceFor(base)}`)
}

/** Returns what to do about a URL below which no list is. */
function adviceFor ({ href, pathname }: URL): string {
  if (pathname === '/') return `if the service has a base path, add it: ${href}path`
  const end = href.search(/\/api\/(?:v[12]\/|$)/)
  if (end >= 0) return `the URL ends before /api/: ${href.slice(0, end)}/`
  return `is the path ${pathname} of the URL right? The lists are below ${href}api/`
}

/** Returns the number of records of each list that was read whole, or of those that have some. */
function countsOf ({ lists }: ServiceRecording, hasRecords: boolean): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [key, { texts }] of lists) {
    if (hasRecords || texts.length > 0) counts.set(key, texts.length)
  }
  return counts
}

function writeMessages (messages: Iterable<string>, { secrets }: Pull, { stderr }: PullEnvironment): void {
  const lines = Array.from(messages, message => safe(message, secrets))
  const more = lines.splice(maxPrinted).length
  if (more > 0) lines.push(`… and ${more} more`)
  for (const line of lines) stderr.write(`${line}\n`)
}

function writeResult (counts: string, directory: string, { stdout }: PullEnvironment): void {
  const path = pathWord(shownPath(directory))
  stdout.write(`${counts}\nThey are in ${directory}. Serve them:\n\n  ${command} --data ${path}\n`)
  stdout.write(`\nList where they differ from the contract:\n\n  ${command} check ${path}\n`)
}

/** Limits the size of all bodies together, and the JSON objects in them, which are kept in memory. */
function within ({ bytes, objects = Infinity }: { bytes: number, objects?: number }, get: Get): Get {
  let size = 0
  let count = 0
  return async (...request) => {
    const response = await get(...request)
    const [{ href }] = request
    size += response.body.length
    if (size > bytes) throw new Unreachable(`${href}: more than ${bytes / 2 ** 20} MB in all`)
    if (objects !== Infinity) count = Math.max(count, objectsIn(response.body))
    if (count > objects) {
      throw new Error(`${href}: more than ${objects} records and objects in them, which do not fit in memory`)
    }
    return response
  }
}

function objectsIn (body: Buffer): number {
  let count = 0
  for (let at = body.indexOf('{'); at >= 0; at = body.indexOf('{', at + 1)) count++
  return count
}

/** Escapes and shortens a string from the service, and masks secrets in it. */
function safe (text: string, secrets: readonly string[]): string {
  return short(printable(maskSecrets(text, secrets)), 500)
}
