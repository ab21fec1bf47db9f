import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type CatalogueErrors, countLine, errorCount, errorLines, type Output, shownPath, warningLine } from '../catalogue/errors/error.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { requestHeaders, requestRate, serviceUrl } from '../client/arguments.ts'
import { type ClientOptions, createClient, type HttpRequest, Limited, Unreachable } from '../client/client.ts'
import { counted, printable, short } from '../base/text.ts'
import { command, name, version } from '../package.ts'
import { resources } from '../lists/resources.ts'
import { asciiToken, type Kind } from '../settings/kinds.ts'
import { hang, pathWord } from '../base/terminal.ts'
import { readArguments, readValue, SettingsError } from '../settings/flags.ts'
import { addressesBelow, assertFree, assertReplaceable, fetchImages, moveTo } from './directory.ts'
import type { Get } from './lists.ts'
import { keysOf, readAbout, recordLists, writeAbout } from './recording.ts'

/** Bound the work that a service can cause; 100,000 bikes stay far below. */
const clientLimits = { retries: 3, idleTimeout: 30_000, timeout: 600_000, maxWait: 600_000, maxBytes: 2 ** 27 }
const defaultLimits = { ...clientLimits, pages: 10_000, records: 1_000_000, listBytes: 2 ** 28, imageBytes: 2 ** 32 }

type Limits = typeof defaultLimits & Pick<ClientOptions, 'wait'>

/** The most errors, and the most messages about missing images, to print. */
const maxPrinted = 50

const commonHeaders = { accept: 'application/json, */*;q=0.1', 'user-agent': `${name}/${version}` }

const clearLine = '\r\x1b[K'

export const usage = `
Downloads the lists of the service at URL and writes them to DIR as a recording. ${command} --data DIR serves it unchanged.
DIR is complete or absent. If the service limits requests for longer than ten minutes, complete lists stay in DIR.partial, and the same
command continues later.

  --token T      a token for version 2.1; without one, only v1 is read
  --header LINE  a header for a gateway, such as 'X-Api-Key: abc'; repeatable, sent only below the path of URL
  --lists A,B    only these lists, such as saddles,brakes
  --rate N       most requests a second (5); it waits after 429 and 503
  --images       also downloads the images below URL/media/; without it, images keep their URLs
  --overwrite    replaces DIR if an earlier pull created it and it contains nothing else

Exits with 0 if the lists are written, even if they differ from the contract (${command} check DIR lists the differences).
Exits with 1 if lists cannot be served: it prints their errors, and keeps the lists in DIR.rejected.
Exits with 2 for invalid arguments, and if the service cannot be read or DIR cannot be written.
`

/** Adds a slash at the end. */
const baseUrl: Kind<URL> = {
  expects: 'an http or https URL without a user, query or fragment, such as https://bikes.example.org',
  read: text => text.includes('@') ? undefined : serviceUrl.read(text.replace(/\/*$/, '/'))
}

const listNames: Kind<readonly string[]> = {
  expects: `lists, separated by commas, of ${resources.map(({ key }) => key).join(', ')}`,
  read: text => text.split(',').every(name => resources.some(({ key }) => key === name)) ? text.split(',') : undefined
}

type Environment = {
  stdout: { write: (text: string) => unknown }
  stderr: Output
  /** Ends the command early and removes its files. */
  signal: AbortSignal
}

/** Returns the exit code. */
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
    return 2
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
  const commandFor = (base: string) => [command, 'pull', ...args.map((word, index) => {
    const before = args[index - 1] ?? ''
    if (/^--(?:token|header)$/.test(before)) return `"$${before.slice(2).toUpperCase()}"`
    const [, flag] = /^--(token|header)=/.exec(word) ?? []
    return flag === undefined ? pathWord(word === url ? base : word) : `--${flag}="$${flag.toUpperCase()}"`
  })].join(' ')
  const [images, overwrite] = [isOn('images'), isOn('overwrite')]
  return { rate: 5, ...values, base, wanted, secrets, commandFor, directory: resolve(directory), images, overwrite }
}

async function pull (plan: ReturnType<typeof readPlan>, { stdout, stderr, signal }: Environment, limits: Limits): Promise<number> {
  const { base, directory, token, secrets, rate, images, overwrite, wanted, commandFor } = plan
  const rejected = `${directory}.rejected`
  await assertReplaceable(directory, overwrite)
  await assertFree(rejected)
  let requests = 0
  const progress = (text: string) => { if (stderr.isTTY) stderr.write(clearLine + safe(text, secrets).slice(0, 78)) }
  const onRequest = ({ target }: HttpRequest) => progress(`request ${++requests}: ${target}`)
  const onWait = (reason: string) => progress(`request ${requests}: ${reason}`)
  const send = createClient(base, { ...limits, rate, signal, headers: commonHeaders, ownHeaders: plan.header, onRequest, onWait })
  const get: Get = ({ pathname, search }, token) => {
    return send({ method: 'GET', target: pathname + search, headers: token === undefined ? {} : { authorization: `Token ${token}` } })
  }
  const messages = new Set<string>()
  const media = new URL('./media/', base)
  const temporary = `${directory}.${randomUUID()}`
  const partial = `${directory}.partial`
  const known = await readAbout(partial, base)
  if (known === undefined) await assertFree(partial)
  const about = known ?? { url: base.href }
  let isKept = known !== undefined
  const remove = () => {
    if (isKept && existsSync(temporary)) renameSync(temporary, partial)
    else rmSync(temporary, { recursive: true, force: true })
  }
  process.once('exit', remove) // a second signal exits at once
  const work = async () => {
    await (isKept ? rename(partial, temporary) : mkdir(temporary))
    const warn = (message: string) => { messages.add(message) }
    const service = { get: within(limits.listBytes, get), base, limits, signal, commandFor, warn }
    await recordLists(service, wanted, token, temporary, about)
    progress('checking')
    const { catalogue, errors } = await loadCatalogue(temporary, {}, false, signal)
      .then(catalogue => ({ catalogue, errors: [] }), (error: CatalogueErrors | Error) => {
        signal.throwIfAborted()
        return { catalogue: undefined, errors: (error as CatalogueErrors).errors }
      })
    const pulled = catalogue === undefined ? [] : keysOf(about).map(key => ({ key, records: catalogue[key] }))
    const addresses = addressesBelow(media, pulled.map(({ records }) => records))
    const fetched = await fetchImages(within(limits.imageBytes, get), media, images ? addresses : new Set(), join(temporary, 'media'))
    if (fetched.count > 0) await writeAbout(temporary, { ...about, media: media.href })
    signal.throwIfAborted()
    const isServed = catalogue !== undefined
    await (isServed ? assertReplaceable(directory, overwrite) : assertFree(rejected)) // it may have appeared meanwhile
    await moveTo(isServed ? directory : rejected, temporary)
    progress('')
    const lines = errorLines(errors.map(error =>
      ({ ...error, file: error.file.replace(basename(temporary), basename(rejected)), message: safe(error.message, secrets) })), stderr)
    const width = stderr.isTTY ? stderr.columns || 80 : Infinity
    const shown = [...messages, ...fetched.messages].flatMap(message => hang('', safe(message, secrets).split(' '), width))
    for (const line of [...abridged(shown), ...abridged(lines)]) stderr.write(`${line}\n`)
    if (!isServed) {
      stderr.write(`${errorCount(errors)}: these lists cannot be served; they are in ${rejected}\n`)
      return 1
    }
    const { warnings } = catalogue
    if (addresses.size > 0 && !images) stderr.write(`images left at ${media.href}: ${addresses.size} (--images downloads them)\n`)
    if (warnings.length > 0) stderr.write(`${warningLine(warnings)}:\n\n  ${command} check ${pathWord(shownPath(directory))}\n\n`)
    const counts = Object.fromEntries(pulled.map(({ key, records: { length } }) => [key, length]))
    stdout.write(`${countLine({ ...counts, ...fetched.count > 0 && { images: fetched.count } })} in ${requests} requests\n`)
    stdout.write(`They are in ${directory}. Serve them:\n\n  ${command} --data ${pathWord(shownPath(directory))}\n`)
    return 0
  }
  return await work().catch((error: Error) => {
    const complete = keysOf(about).length
    if (!(error instanceof Limited) || complete === 0) throw error
    isKept = true
    throw new Error(`${error.message}; ${counted(complete, 'complete list')} in ${partial}; run the same command later to continue`)
  }).finally(() => {
    process.removeListener('exit', remove)
    remove()
  })
}

/** Limits the total size of bodies. */
function within (limit: number, get: Get): Get {
  let bytes = 0
  return async (url, token) => {
    const response = await get(url, token)
    bytes += response.body.length
    if (bytes > limit) throw new Unreachable(`${url.href}: more than ${limit / 2 ** 20} MB in all`)
    return response
  }
}

function abridged (lines: readonly string[]): readonly string[] {
  return lines.length > maxPrinted ? [...lines.slice(0, maxPrinted), `… and ${lines.length - maxPrinted} more`] : lines
}

/** Escapes and shortens a string from the service, and masks secrets in it. */
function safe (text: string, secrets: readonly string[]): string {
  return short(printable(secrets.reduce((text, secret) => text.replaceAll(secret, '…'), text)), 500)
}
