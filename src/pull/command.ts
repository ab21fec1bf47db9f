import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ListKey } from '../../schemas/lists.ts'
import type { Recording } from '../../schemas/recording.ts'
import { counted, pathWord } from '../base/text.ts'
import { countLine, shownPath } from '../catalogue/errors/error.ts'
import { commitName, recordedFiles } from '../catalogue/files.ts'
import { command } from '../package.ts'
import { clearLine } from '../service/progress.ts'
import { readArguments } from '../settings/arguments.ts'
import { exitCodes, SettingsError } from '../settings/flags.ts'
import { assertWritable, readPulled, readRecordingFile, stageRecording } from './directory.ts'
import { fetchImages, imageLinks } from './images.ts'
import {
  defaultLimits, messageLines, planService, readService, safe, serviceFlags, TooLarge, type PullLimits,
  type ServiceEnvironment
} from './service.ts'
import { createStage, removeLeftovers } from './stage.ts'

export const usage = `
Records the lists of the service at URL in DIR. ${command} --data DIR serves them unchanged.
If the service limits requests for longer than ten minutes, run the same command later to continue.

  --token T      a token for version 2.1; without one, only v1 is read
  --header LINE  a header for a gateway, such as 'X-Api-Key: abc'; repeatable, sent only below the path of URL
  --lists A,B    only these lists, such as saddles,brakes; the others in DIR stay as they are
  --rate N       most requests a second (5); it waits after 429, 502, 503 and 504
  --images       also downloads the images below URL/media/; without it, images keep their URLs
  --overwrite    replaces the recording in an existing DIR, all of it or none, and leaves all other files

Exits with 0 if the lists are written, even if they differ from the contract
(${command} check DIR lists the differences).
Exits with 2 for invalid arguments, and if the service cannot be read or DIR cannot be written.
`

/** Runs the command and returns its exit code; no message contains the values of --token and --header. */
export async function run (
  args: string[], environment: ServiceEnvironment, limits: Partial<PullLimits> = {}
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
  const { values, isOn, rest } = readArguments(args, serviceFlags, ['images', 'overwrite'], help)
  const [url, directory, ...others] = rest
  if (url === undefined || !directory || others.length > 0) {
    throw new SettingsError(`pull takes a URL and a directory, such as https://bikes.example.org my-data (${help})`)
  }
  return {
    ...planService(url, values, help),
    directory: resolve(directory),
    hasAllLists: values.lists === undefined,
    images: isOn('images'),
    overwrite: isOn('overwrite')
  }
}

async function pull (plan: Pull, environment: ServiceEnvironment, limits: PullLimits): Promise<number> {
  const { base, directory, wanted, secrets } = plan
  const { stdout, stderr } = environment
  const earlier = await readEarlier(plan)
  const service = await readService(plan, environment, limits, earlier.recording)
  const { recording, error, hasRecords, progress, messages, warn } = service
  const images = await write(plan, service, earlier, limits, environment.signal)

  progress.end()
  const counts = new Map<string, number>()
  for (const [key, { texts }] of recording.lists) {
    if (hasRecords || texts.length > 0) counts.set(key, texts.length)
  }
  if (error !== undefined) {
    const writtenLists = `${counted(counts.size, 'list')} of ${wanted.length} are in ${directory}`
    const state = hasRecords ? 'all records are recorded, but some responses are missing' : writtenLists
    const advice = error instanceof TooLarge ? '' : '; run the same command later to record the rest'
    warn(`${error.message}; ${state}${advice}`)
  }
  stderr.write(messageLines(messages, secrets))
  if (!hasRecords) return exitCodes.unusable
  if (images.left > 0) {
    const { href } = new URL('./media/', base)
    stderr.write(`images left at ${href}: ${images.left} (--images downloads them)\n`)
  }
  if (images.downloaded > 0) counts.set('images', images.downloaded)
  const path = pathWord(shownPath(directory))
  stdout.write(`${countLine(Object.fromEntries(counts))} in ${progress.requests()} requests\n`)
  stdout.write(`They are in ${directory}. Serve them:\n\n  ${command} --data ${path}\n`)
  stdout.write(`\nList where they differ from the contract:\n\n  ${command} check ${path}\n`)
  return exitCodes.done
}

/** Downloads the images, if asked for, then puts the recording in place; returns the numbers of images. */
async function write (
  { base, directory, images }: Pull,
  { recording, get, warn }: Awaited<ReturnType<typeof readService>>,
  { about, isSameService, kept }: Awaited<ReturnType<typeof readEarlier>>,
  { imageBytes }: PullLimits,
  signal: AbortSignal
) {
  const media = new URL('./media/', base)
  const links = await imageLinks(media, recording.lists.values(), signal)
  await removeLeftovers(directory)
  const stage = createStage(directory)
  process.once('exit', stage.discard) // a second signal exits at once
  try {
    const downloaded = images ? await fetchImages(links, { get, media, imageBytes, stage, warn }) : 0
    signal.throwIfAborted()
    const urls: Recording = { url: base.href }
    const hasImages = downloaded > 0 || (isSameService && about?.media !== undefined)
    if (hasImages) urls.media = media.href
    await stageRecording(stage, recording, urls, kept)
    signal.throwIfAborted()
    stage.commit()
    return { downloaded, left: images ? 0 : links.size }
  } finally {
    process.removeListener('exit', stage.discard)
    stage.discard()
  }
}

/**
 * Returns the results of an earlier pull in the directory: `about`, its recording.json; whether that is of this
 * service; `recording`, which is continued if the service limited that pull; and `kept`, which stays of recording.json,
 * with the lists that were saved by hand. @throws {Error} for a directory that must not be written
 */
async function readEarlier ({ base, directory, wanted, hasAllLists, overwrite }: Pull) {
  const about = await readRecordingFile(directory).catch((error: Error) => {
    if (!(overwrite && hasAllLists)) throw error
    return undefined // an invalid file, or one of another version, is replaced
  })
  const isSameService = about?.url === base.href
  const isUnfinished = isSameService && Boolean(about.unfinished?.length)
  await assertWritable(directory, overwrite || isUnfinished)
  const recording = isUnfinished ? await readPulled(directory, about) : undefined
  if (hasAllLists) return { about, isSameService, recording, kept: undefined }

  if (about !== undefined && !isSameService) {
    throw new Error(`${directory} has lists of ${about.url ?? 'an unknown service'}: pull all lists`)
  }
  const lists = { ...about?.lists }
  const isInterrupted = existsSync(directory) && readdirSync(directory).some(name => name.startsWith(commitName))
  for (const [key, name] of Object.entries(recordedFiles) as [ListKey, string][]) {
    const isWanted = wanted.some(resource => resource.key === key)
    if (isWanted || lists[key] !== undefined || !existsSync(join(directory, `${name}.json`))) continue
    const isByHand = about?.recorded === undefined && !isInterrupted
    if (!isByHand) throw new Error(`${directory} has ${name}.json, which may be of another pull: pull all lists`)
    lists[key] = {}
  }
  return { about, isSameService, recording, kept: { ...about, lists } }
}
