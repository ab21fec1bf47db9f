import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type CatalogueErrors, countLine, errorCount, warningLine, shownPath } from '../catalogue/errors/error.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { type ClientOptions, createClient, type HttpRequest, requestRate } from '../client/client.ts'
import { printable, short } from '../base/text.ts'
import { errorLines, type Output } from '../catalogue/errors/lines.ts'
import { command, name, version } from '../package.ts'
import { asciiToken, type Kind } from '../settings/kinds.ts'
import { hang, pathWord } from '../base/terminal.ts'
import { readArguments, readValue, SettingsError } from '../settings/flags.ts'
import { addressesBelow, assertFree, assertReplaceable, fetchImages, moveTo, writeRecording } from './directory.ts'
import { type Get, readLists } from './lists.ts'

/** Bound the work that a service can cause; a catalogue of 100,000 bikes stays far below. */
const clientLimits = { retries: 3, idleTimeout: 30_000, timeout: 600_000, maxBytes: 2 ** 27 }
const defaultLimits = { ...clientLimits, pages: 10_000, records: 1_000_000, listBytes: 2 ** 28, imageBytes: 2 ** 32 }

type Limits = typeof defaultLimits & Pick<ClientOptions, 'wait'>

/** Bounds the errors that are printed, and the images that were not fetched. */
const maxPrinted = 50

const clearLine = '\r\x1b[K'

export const usage = `
Reads the lists of the service at URL, arrays or page by page, and writes them to DIR as a recording, which ${command} --data DIR
serves as the service does. DIR is written as a whole or not at all.

  --token T      a token for version 2.1; without one only v1 is read
  --rate N       requests a second at most (5); Retry-After is honoured
  --images     fetches the images below URL/media/ too; otherwise they lead to the service
  --overwrite    replaces DIR if a pull wrote it, unless it holds other things

Exits with 0 when the lists are written, also where they differ from the contract (${command} check DIR lists them),
1 when records cannot be served: their errors are printed, and the lists are in DIR.rejected,
2 when the service could not be read or DIR not be written.
`

/** Reads a base address, which may have a path; the URL ends with a slash. */
const baseAddress: Kind<URL> = {
  expects: 'an http or https address without a user, query or fragment, such as https://bikes.example.org',
  read: text => /^https?:\/\/[^?#@]+$/i.test(text) && URL.canParse(text) ? new URL(text.replace(/\/*$/, '/')) : undefined
}

type Environment = {
  stdout: { write: (text: string) => unknown }
  stderr: Output
  /** Ends the command early; nothing is left behind. */
  signal: AbortSignal
}

/** Returns the exit code. */
export async function run (args: string[], environment: Environment, limits: Partial<Limits> = {}): Promise<number> {
  const { stderr, signal } = environment
  let token: string | undefined
  try {
    const plan = readPlan(args)
    token = plan.token
    return await pull(plan, environment, { ...defaultLimits, ...limits })
  } catch (error) {
    if (stderr.isTTY) stderr.write(clearLine)
    stderr.write(`${signal.aborted ? 'stopped; nothing was written' : safe((error as Error).message, token)}\n`)
    return 2
  }
}

/** @throws {SettingsError} for the first invalid argument */
function readPlan (args: string[]) {
  const help = `${command} pull --help`
  const { values, isOn, rest } = readArguments(args, { token: asciiToken, rate: requestRate }, ['images', 'overwrite'], help)
  const [url, directory, ...others] = rest
  if (url === undefined || !directory || others.length > 0) {
    throw new SettingsError(`pull takes a URL and a directory, such as https://bikes.example.org my-data (${help})`)
  }
  const base = readValue(baseAddress, 'the URL', url)
  return { rate: 5, ...values, base, directory: resolve(directory), images: isOn('images'), overwrite: isOn('overwrite') }
}

async function pull (plan: ReturnType<typeof readPlan>, { stdout, stderr, signal }: Environment, limits: Limits): Promise<number> {
  const { base, directory, token, rate, images, overwrite } = plan
  const rejected = `${directory}.rejected`
  await assertReplaceable(directory, overwrite)
  await assertFree(rejected)
  let requests = 0
  const progress = (text: string) => { if (stderr.isTTY) stderr.write(clearLine + safe(text, token).slice(0, 78)) }
  const onRequest = ({ target }: HttpRequest) => progress(`request ${++requests}: ${target}`)
  const onWait = (reason: string) => progress(`request ${requests}: ${reason}`)
  const send = createClient(base, { ...limits, rate, signal, onRequest, onWait })
  const ownHeaders = { accept: 'application/json, */*;q=0.1', 'user-agent': `${name}/${version}` }
  const get: Get = ({ pathname, search }, token) => {
    const headers = { ...ownHeaders, ...token !== undefined && { authorization: `Token ${token}` } }
    return send({ method: 'GET', target: pathname + search, headers })
  }
  const pulled = await readLists(within(limits.listBytes, get), base, token, limits)
  const media = new URL('./media/', base)
  const addresses = addressesBelow(media, pulled.lists)
  const temporary = `${directory}.${randomUUID()}`
  const remove = () => rmSync(temporary, { recursive: true, force: true })
  process.once('exit', remove) // a second signal exits at once
  try {
    await mkdir(temporary)
    const fetched = await fetchImages(within(limits.imageBytes, get), media, images ? addresses : new Set(), join(temporary, 'media'))
    await writeRecording(temporary, pulled, base, fetched.paths, signal)
    progress('checking')
    const { errors, warnings } = await loadCatalogue(temporary, {}, false, signal)
      .then(({ warnings }) => ({ errors: [], warnings }), (error: CatalogueErrors | Error) => {
        signal.throwIfAborted()
        return { errors: (error as CatalogueErrors).errors, warnings: [] }
      })
    signal.throwIfAborted()
    const isServed = errors.length === 0
    await (isServed ? assertReplaceable(directory, overwrite) : assertFree(rejected)) // it may have appeared meanwhile
    await moveTo(isServed ? directory : rejected, temporary)
    progress('')
    const lines = errorLines(errors.map(error =>
      ({ ...error, file: error.file.replace(basename(temporary), basename(rejected)), message: safe(error.message, token) })), stderr)
    const width = stderr.isTTY ? stderr.columns || 80 : Infinity
    const messages = [...pulled.messages, ...fetched.messages].flatMap(message => hang('', safe(message, token).split(' '), width))
    for (const line of [...firstOf(messages), ...firstOf(lines)]) stderr.write(`${line}\n`)
    const counts = Object.fromEntries(pulled.lists.map(({ key, records: { length } }) => [key, length]))
    const { size } = fetched.paths
    stdout.write(`${countLine({ ...counts, ...size > 0 && { images: size } })} in ${requests} requests\n`)
    if (!isServed) {
      stderr.write(`${errorCount(errors)}: these records cannot be served; the lists are in ${rejected}\n`)
      return 1
    }
    if (addresses.size > 0 && !images) stderr.write(`images left at ${media.href}: ${addresses.size} (--images fetches them)\n`)
    if (warnings.length > 0) stderr.write(`${warningLine(warnings)}:\n\n  ${command} check ${pathWord(shownPath(directory))}\n\n`)
    stdout.write(`They are in ${directory}. Serve them:\n\n  ${command} --data ${pathWord(shownPath(directory))}\n`)
    return 0
  } finally {
    process.removeListener('exit', remove)
    remove()
  }
}

/** Bounds the sum of bodies. */
function within (limit: number, get: Get): Get {
  let bytes = 0
  return async (url, token) => {
    const response = await get(url, token)
    bytes += response.body.length
    if (bytes > limit) throw new Error(`${url.href}: more than ${limit / 2 ** 20} MB in all`)
    return response
  }
}

function firstOf (lines: readonly string[]): readonly string[] {
  return lines.length > maxPrinted ? [...lines.slice(0, maxPrinted), `… and ${lines.length - maxPrinted} more`] : lines
}

/** Escapes and cuts a text of the service, and hides a token that it repeats. */
function safe (text: string, token = ''): string {
  return short(printable(token === '' ? text : text.replaceAll(token, '…')), 500)
}
