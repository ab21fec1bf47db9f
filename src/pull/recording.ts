import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ListKey } from '../../schemas/lists.ts'
import type { Recording } from '../../schemas/stored.ts'
import { recordedFiles, recordingFile } from '../catalogue/files.ts'
import { readRecords, type Records } from '../catalogue/recorded/texts.ts'
import { Limited, Unreachable } from '../client/client.ts'
import type { Resource } from '../lists/resources.ts'
import { createFile } from './directory.ts'
import { readList, type Service } from './lists.ts'
import { probeOrders, probePages, probeRefusals } from './probes.ts'

export const writeAbout = (directory: string, about: Recording) =>
  createFile(join(directory, recordingFile), `${JSON.stringify(about, null, 2)}\n`)

/** Reads the recording.json of an interrupted pull; undefined for another service. */
export async function readAbout (directory: string, { href }: URL): Promise<Recording | undefined> {
  const text = await readFile(join(directory, recordingFile), 'utf8').catch(() => '{}')
  const about = JSON.parse(text) as Recording
  return about.url === href ? about : undefined
}

/**
 * Writes the lists that a recording lacks, then probes for properties that records don't show. `about` gets an entry for a list
 * once its file is complete.
 * @throws {Limited} if the service limits requests, unless this run found nothing new; then the contract's values stand for the rest
 */
export async function recordLists (
  service: Service, wanted: readonly Resource[], token: string | undefined, directory: string, about: Recording
): Promise<void> {
  const { base, signal, warn } = service
  const lists = about.lists ??= {}
  const tokenOf = ({ access }: Resource) => access === 'token' ? token : undefined
  let hasFound = false
  const save = async () => {
    hasFound = true
    await writeAbout(directory, about)
  }
  for (const resource of wanted.filter(({ key }) => lists[key] === undefined)) {
    signal.throwIfAborted()
    const { key, path } = resource
    const list = await readList(service, resource, tokenOf(resource))
    const { href } = new URL(`.${path}`, base)
    if (list !== undefined) {
      await createFile(join(directory, `${recordedFiles[key]}.json`), list.content)
      lists[key] = list.form
      await save()
    } else if (key === 'bikes') throw new Error(`${href} responds with 404; if the service has a base path, add it: ${base.href}path`)
    else warn(`${href} responds with 404, so the list is missing`)
  }
  const probed = wanted.flatMap(resource => {
    const form = lists[resource.key]
    return form?.paginate === undefined ? [] : { service, resource, token: tokenOf(resource), form }
  })
  const read = async (key: ListKey) => readRecords(await readFile(join(directory, `${recordedFiles[key]}.json`))) as Records
  try {
    for (const list of probed.filter(({ form }) => form.asked === undefined)) {
      Object.assign(list.form, await probePages(list), { asked: [] })
      await save()
    }
    for (const list of probed) await probeOrders(list, await read(list.resource.key), save)
    const detailed = wanted.find(({ access }) => access === 'token')
    if (detailed !== undefined) about.v2 ??= await probeRefusals(service, new URL(`.${detailed.path}`, base))
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Unreachable) || (error instanceof Limited && hasFound)) throw error
    warn(`${error.message}; the lists are complete, but orders, page sizes and headers may be those of the contract`)
  }
  for (const { form } of probed) delete form.asked
  about.recorded = new Date().toISOString()
  await writeAbout(directory, about)
}

export const keysOf = ({ lists = {} }: Recording) => Object.keys(lists) as ListKey[]
