import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { countLine, type Output, shownPath, differenceLine } from '../catalogue/errors/error.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { listNames, requestHeaders, requestRate, serviceUrl } from '../client/arguments.ts'
import { type ClientOptions, createClient, type HttpRequest, Unreachable } from '../client/client.ts'
import { counted, printable, short, pathWord } from '../base/text.ts'
import { command, name, version } from '../package.ts'
import { resources } from '../lists/resources.ts'
import { asciiToken, type Kind } from '../settings/kinds.ts'
import { exitCodes, readArguments, readValue, SettingsError } from '../settings/flags.ts'
import { addressesBelow, assertWritable, fetchImages, readAbout, readRecording, writeRecording } from './directory.ts'
import { recordService } from './record.ts'
import { getWith, type Get } from './recorder.ts'

/** Bound the work that a service can cause; 100,000 bikes stay far below. */
const clientLimits = { retries: 9, idleTimeout: 30_000, timeout: 600_000, maxWait: 600_000, maxBytes: 2 ** 27 }
const defaultLimits = { ...clientLimits, pages: 10_000, arrayBytes: 2 ** 24, listBytes: 2 ** 28, imageBytes: 2 ** 32 }

type Limits = typeof defaultLimits & Pick<ClientOptions, 'wait' | 'now'>

/** The most errors, and the most messages about missing images, to print. */
const maxPrinted = 50

const commonHeaders = { accept: 'application/json, */*;q=0.1', 'user-agent': `${name}/${version}` }

const clearLine = '\r\x1b[K'

export const usage = `
Records the lists of the service at URL in DIR. ${command} --data DIR serves them unchanged. If the service limits requests for longer
than ten minutes, the same command continues later.

  --token T      a token for version 2.1; without one, only v1 is read
  --header LINE  a header for a gateway, such as 'X-Api-Key: abc'; repeatable, sent only below the path of URL
  --lists A,B    only these lists, such as saddles,brakes; the others in DIR stay as they are
  --rate N       most requests a second (5); it waits after 429, 502 and 503
  --images       also downloads the images below URL/media/; without it, images keep their URLs
  --overwrite    replaces the recording in an existing DIR, and leaves all other files

Exits with 0 if the lists are written, even if they differ from the contract (${command} check DIR lists the differences).
Exits with 2 for invalid arguments, and if the service cannot be read or DIR cannot be written.
`

/** Adds a slash at the end. */
const baseUrl: Kind<URL> = {
  expects: 'an http or https URL without a user, query or fragment, such as https://bikes.example.org',
  read: text => text.includes('@') ? undefined : serviceUrl.read(text.replace(/\/*$/, '/'))
}

type Environment = {
  stdout: { write: (text: string) => unknown }
  stderr: Output
  /** Ends the command early and removes its files. */
  signal: AbortSignal
}

export async function run (args: string[], environment: Environment, limits: Partial<Limits> = {}): Promise<number> {
  const { stderr, signal } = environment
  let secrets: readonly string[] = []
  try {
    const plan = readPlan(args)
    secrets = plan.secrets
    return await pull(plan, environment, { ...defaultLimits, ...limits })
  } catch (error) {
    if (stderr.isTTY) stderr.write(clearLine)
    stderr.write(`${signal.aborted ? 'stopped; the directory was not written' : safe((error as Error).message, secrets)}\n`)
    return exitCodes.unusable
  }
}

/** @throws {SettingsError} for the first invalid argument */
function readPlan (args: string[]) {
  const help = `${command} pull --help`
  const kinds = { token: asciiToken, header: requestHeaders, rate: requestRate, lists: listNames }
  const { values, isOn, rest } = readArguments(args, kinds, ['images', 'overwrite'], help)
  const [url, directory, ...others] = rest
  if (url === undefined || !directory || others.length > 0) {
    throw new SettingsError(`pull takes a URL and a directory, such as https://bikes.example.org my-data (${help})`)
  }
  const base = readValue(baseUrl, 'the URL', url)
  const { token, lists, header = {} } = values
  const secrets = [...token === undefined ? [] : [token], ...Object.values(header)].filter(Boolean)
  const known = resources.filter(({ access }) => access === 'public' || token !== undefined)
  const wanted = known.filter(({ key }) => lists?.includes(key) ?? true)
  if (wanted.length === 0) throw new SettingsError(`the lists of version 2.1 need --token (${help})`)
  return { rate: 5, ...values, base, wanted, secrets, directory: resolve(directory), images: isOn('images'), overwrite: isOn('overwrite') }
}

async function pull (plan: ReturnType<typeof readPlan>, { stdout, stderr, signal }: Environment, limits: Limits): Promise<number> {
  const { base, directory, token, secrets, rate, images, overwrite, wanted, lists } = plan
  const about = await readAbout(directory)
  const isOwn = about?.url === base.href
  const isContinued = isOwn && Boolean(about.unfinished?.length)
  await assertWritable(directory, overwrite || isContinued)
  const isNew = !existsSync(directory)
  if (lists !== undefined && about !== undefined && !isOwn) throw new Error(`${directory} has lists of ${about.url}: pull all lists`)
  let requests = 0
  const progress = (text: string) => { if (stderr.isTTY) stderr.write(clearLine + safe(text, secrets).slice(0, 78)) }
  const onRequest = ({ target }: HttpRequest) => progress(`request ${++requests}: ${target}`)
  const onWait = (reason: string) => progress(`request ${requests}: ${reason}`)
  const options = { ...limits, rate, signal, headers: commonHeaders, ownHeaders: plan.header, onRequest, onWait }
  const get = getWith(createClient(base, options))
  const messages = new Set<string>()
  const warn = (message: string) => { messages.add(message) }
  const service = { get: within(limits.listBytes, get), base, token, limits, warn }
  const known = isContinued ? await readRecording(directory, about) : undefined
  const { recording, error, hasRecords } = await recordService(service, wanted, known)
  signal.throwIfAborted()

  const media = new URL('./media/', base)
  const addresses = addressesBelow(media, recording.lists.values())
  const target = isNew ? `${directory}.${randomUUID()}` : directory
  const discard = () => { if (isNew) rmSync(target, { recursive: true, force: true }) }
  process.once('exit', discard) // a second signal exits at once
  const write = async () => {
    const count = images ? await fetchImages(within(limits.imageBytes, get), media, addresses, join(target, 'media'), warn) : 0
    signal.throwIfAborted()
    const hasMedia = count > 0 || (isOwn && about.media !== undefined)
    const kept = lists === undefined ? undefined : about ?? {}
    await writeRecording(target, recording, { url: base.href, ...hasMedia && { media: media.href } }, kept)
    progress('checking')
    const catalogue = await loadCatalogue(target)
    signal.throwIfAborted()
    if (isNew) await rename(target, directory)
    return { catalogue, count }
  }
  const { catalogue, count } = await write().finally(() => {
    process.removeListener('exit', discard)
    discard()
  })

  progress('')
  const complete = [...recording.lists.keys()].filter(key => hasRecords || recording.lists.get(key)?.texts.length)
  if (error !== undefined) {
    const rest = hasRecords
      ? 'all records are there, but some responses are made'
      : `${counted(complete.length, 'list')} of ${wanted.length} are in ${directory}`
    warn(`${error.message}; ${rest}; the same command later asks for the rest`)
  }
  const lines = [...messages].map(message => safe(message, secrets))
  const more = lines.splice(maxPrinted).length
  if (more > 0) lines.push(`… and ${more} more`)
  for (const line of lines) stderr.write(`${line}\n`)
  if (!hasRecords) return exitCodes.unusable
  const { differences } = catalogue
  if (!images && addresses.size > 0) stderr.write(`images left at ${media.href}: ${addresses.size} (--images downloads them)\n`)
  if (differences.length > 0) stderr.write(`${differenceLine(differences)}:\n\n  ${command} check ${pathWord(shownPath(directory))}\n\n`)
  const counts = Object.fromEntries(complete.map(key => [key, catalogue[key].length]))
  stdout.write(`${countLine({ ...counts, ...count > 0 && { images: count } })} in ${requests} requests\n`)
  stdout.write(`They are in ${directory}. Serve them:\n\n  ${command} --data ${pathWord(shownPath(directory))}\n`)
  return exitCodes.done
}

/** Limits the total size of bodies. */
function within (limit: number, get: Get): Get {
  let bytes = 0
  return async (...request) => {
    const response = await get(...request)
    bytes += response.body.length
    if (bytes > limit) throw new Unreachable(`${request[0].href}: more than ${limit / 2 ** 20} MB in all`)
    return response
  }
}

/** Escapes and shortens a string from the service, and masks secrets in it. */
function safe (text: string, secrets: readonly string[]): string {
  return short(printable(secrets.reduce((text, secret) => text.replaceAll(secret, '…'), text)), 500)
}
