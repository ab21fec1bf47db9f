import { resolve } from 'node:path'
import type { Recording } from '../../schemas/stored.ts'
import { maskSecrets } from '../base/mask.ts'
import { counted, pathWord, printable, short } from '../base/text.ts'
import { countLine, shownPath, type Output } from '../catalogue/errors/error.ts'
import { listNames, requestHeaders, requestRate, serviceUrl } from '../client/arguments.ts'
import { createClient, Unreachable, type ClientOptions, type HttpRequest } from '../client/client.ts'
import { resources, type Resource } from '../lists/resources.ts'
import { command, name, version } from '../package.ts'
import { clearLine, createProgress } from '../service/progress.ts'
import { exitCodes, readArguments, readValue, SettingsError } from '../settings/flags.ts'
import { asciiToken, type Kind } from '../settings/kinds.ts'
import { assertWritable, readPulled, readRecordingFile, stageRecording } from './directory.ts'
import { fetchImages, imageLinks } from './images.ts'
import { recordService, type ServiceRecording } from './record.ts'
import { getWith, type Get } from './recorder.ts'
import { createStage, removeLeftovers } from './stage.ts'

/** Bound the work that a service can cause; 100,000 bikes stay far below. Times are in milliseconds. */
const defaultLimits = {
  retries: 9,
  idleTimeout: 30_000,
  timeout: 600_000,
  maxWait: 600_000,
  /** The most bytes of a response. */
  maxBytes: 2 ** 27,
  /** The most pages of a list. */
  pages: 10_000,
  /** The orders of an unpaged list with more bytes are not recorded. */
  arrayBytes: 2 ** 24,
  /** The most bytes of all lists together, and the most JSON objects in one response. */
  listBytes: 2 ** 28,
  listObjects: 3_000_000,
  /** The most bytes of all images together. */
  imageBytes: 2 ** 32
}

type PullLimits = typeof defaultLimits & Pick<ClientOptions, 'wait' | 'now'>

/** The most errors, and the most messages about missing images, to print. */
const maxPrinted = 50

const pullHeaders = { accept: 'application/json, */*;q=0.1', 'user-agent': `${name}/${version}` }

/** The requests that the lists of the built-in data need, by their access. */
const typicalRequests = { public: 19, token: 72 }

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

/** The URL of a service; it is read with a single slash at its end, so that paths below it resolve. */
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

/** Runs the command and returns its exit code; no message contains the values of --token and --header. */
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
  const readable = resources.filter(({ access }) => access === 'public' || token !== undefined)
  const wanted = readable.filter(({ key }) => lists === undefined || lists.includes(key))
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
  const progress = createProgress(stderr, { rate, typicalRequests: estimateRequests(wanted) })
  const onRequest = ({ method, target }: HttpRequest) => progress.tell(safe(`${method} ${target}`, secrets))
  const client = createClient(base, {
    ...limits, rate, signal, headers: pullHeaders, ownHeaders: plan.header, onRequest, onWait: progress.show
  })
  const get = getWith(client)
  const messages = new Set<string>()
  const warn = (message: string) => { messages.add(message) }
  const listGet = getWithin(get, limits.listBytes, limits.listObjects)
  const service = { get: listGet, base, token, limits, warn }
  const { recording, error, hasRecords } = await recordService(service, wanted, earlier.recording)
  signal.throwIfAborted()
  assertFound(plan, recording)

  const media = new URL('./media/', base)
  const links = await imageLinks(media, recording.lists.values(), signal)
  const imageCount = await writeDirectory()

  progress.end()
  const counts = countsOf(recording, hasRecords)
  const writtenLists = `${counted(counts.size, 'list')} of ${wanted.length} are in ${directory}`
  const state = hasRecords ? 'all records are recorded, but some responses are missing' : writtenLists
  if (error !== undefined) warn(`${error.message}; ${state}; run the same command later to record the rest`)
  writeMessages(messages, plan, environment)
  if (!hasRecords) return exitCodes.unusable
  const remoteImages = plan.images ? 0 : links.size
  if (remoteImages > 0) stderr.write(`images left at ${media.href}: ${remoteImages} (--images downloads them)\n`)
  if (imageCount > 0) counts.set('images', imageCount)
  writeResult(`${countLine(Object.fromEntries(counts))} in ${progress.requests()} requests`, directory, environment)
  return exitCodes.done

  /** Downloads the images, if asked for, then puts the recording in place; returns the number of images. */
  async function writeDirectory (): Promise<number> {
    await removeLeftovers(directory)
    const stage = createStage(directory)
    const imageGet = getWithin(get, limits.imageBytes)
    let downloaded = 0
    process.once('exit', stage.discard) // a second signal exits at once
    try {
      if (plan.images) downloaded = await fetchImages(imageGet, media, links, stage, warn)
      signal.throwIfAborted()
      const kept = plan.lists === undefined ? undefined : earlier.about ?? {}
      await stageRecording(stage, recording, urlsOf(plan, earlier, downloaded > 0), kept)
      signal.throwIfAborted()
      stage.commit()
    } finally {
      process.removeListener('exit', stage.discard)
      stage.discard()
    }
    return downloaded
  }
}

function estimateRequests (wanted: readonly Resource[]): number {
  return wanted.reduce((sum, { access }) => sum + typicalRequests[access], 0)
}

/**
 * Returns what an earlier pull left in the directory: `about`, its recording.json; whether that is of this service; and
 * `recording`, which is continued if the service limited that pull. @throws {Error} for a directory that must not be
 * written
 */
async function readEarlier ({ base, directory, lists, overwrite }: Pull) {
  const replacesAll = overwrite && lists === undefined
  const about = await readRecordingFile(directory).catch((error: Error) => {
    if (!replacesAll) throw error
    return undefined // an invalid file, or one of another version, is replaced
  })
  const isSameService = about?.url === base.href
  const isUnfinished = isSameService && Boolean(about.unfinished?.length)
  await assertWritable(directory, overwrite || isUnfinished)
  const mixesServices = lists !== undefined && about !== undefined && !isSameService
  if (mixesServices) throw new Error(`${directory} has lists of ${about.url}: pull all lists`)
  const recording = isUnfinished ? await readPulled(directory, about) : undefined
  return { about, isSameService, recording }
}

type Earlier = Awaited<ReturnType<typeof readEarlier>>

/** Returns the URL of the service, and that of its images if any were downloaded, now or earlier. */
function urlsOf ({ base }: Pull, { about, isSameService }: Earlier, hasImages: boolean): Recording {
  const urls: Recording = { url: base.href }
  if (hasImages || (isSameService && about?.media !== undefined)) urls.media = new URL('./media/', base).href
  return urls
}

/** @throws {Error} if the service has no bikes, or none of the lists */
function assertFound ({ base, wanted }: Pull, { lists }: ServiceRecording): void {
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

/** Returns the number of records of each list; without `hasRecords`, only of lists that have some. */
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

/**
 * Limits the bytes of all bodies together, and the JSON objects of each, as they are kept in memory.
 * @throws {Unreachable} for too many bytes @throws {Error} for too many objects
 */
function getWithin (get: Get, bytes: number, objects = Infinity): Get {
  let size = 0
  return async (url, ...others) => {
    const response = await get(url, ...others)
    size += response.body.length
    if (size > bytes) throw new Unreachable(`${url.href}: more than ${bytes / 2 ** 20} MB in all`)
    if (objectsIn(response.body) > objects) {
      throw new Error(`${url.href}: more than ${objects} records and objects in them, which do not fit in memory`)
    }
    return response
  }
}

/** Returns the number of opening braces, which is at least that of the objects. */
function objectsIn (body: Buffer): number {
  let count = 0
  for (let at = body.indexOf('{'); at >= 0; at = body.indexOf('{', at + 1)) count++
  return count
}

/** Escapes and shortens a string from the service, and masks secrets in it. */
function safe (text: string, secrets: readonly string[]): string {
  return short(printable(maskSecrets(text, secrets)), 500)
}
