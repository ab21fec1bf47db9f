import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ListKey } from '../../schemas/lists.ts'
import type { Recording } from '../../schemas/stored.ts'
import { recordedFiles, recordingFile } from '../catalogue/files.ts'
import type { Resource } from '../lists/resources.ts'
import { writeBelow } from './directory.ts'
import { readList, type Service } from './lists.ts'
import { probeOrders } from './orders.ts'
import { mayGiveUp, probePages, probeRefusals } from './probes.ts'

export const writeAbout = (directory: string, about: Recording) =>
  writeBelow(directory, recordingFile, `${JSON.stringify(about, null, 2)}\n`)

/** Reads what is known of a recording; undefined for one of another service. */
export async function readAbout (directory: string, { href }: URL): Promise<Recording | undefined> {
  const text = await readFile(join(directory, recordingFile), 'utf8').catch(() => '{}')
  const about = JSON.parse(text) as Recording
  return about.url === href ? about : undefined
}

/**
 * Writes lists of a service that a recording has not yet, and then asks what their records cannot show. `about` has each list from the
 * time that its file is complete.
 */
export async function recordLists (
  service: Service, wanted: readonly Resource[], token: string | undefined, directory: string, about: Recording
): Promise<void> {
  const { base, signal, warn } = service
  const lists = about.lists ??= {}
  const tokenOf = ({ access }: Resource) => access === 'token' ? token : undefined
  for (const resource of wanted.filter(({ key }) => lists[key] === undefined)) {
    signal.throwIfAborted()
    const { key, path } = resource
    const list = await readList(service, resource, tokenOf(resource))
    const { href } = new URL(`.${path}`, base)
    if (list !== undefined) {
      await writeBelow(directory, `${recordedFiles[key]}.json`, list.content)
      lists[key] = list.form
      await writeAbout(directory, about)
    } else if (key === 'bikes') throw new Error(`${href} responds with 404; if the service has a base path, add it: ${base.href}path`)
    else warn(`${href} responds with 404, so the list is missing`)
  }
  const ask = mayGiveUp(service)
  for (const resource of wanted) {
    const form = lists[resource.key]
    if (form?.paginate !== undefined) Object.assign(form, await probePages(ask, { base, resource, token: tokenOf(resource) }, form))
  }
  const detailed = wanted.find(({ access }) => access === 'token')
  if (detailed !== undefined) about.v2 = await probeRefusals(ask, new URL(`.${detailed.path}`, base))
  for (const resource of wanted) {
    const form = lists[resource.key]
    if (form?.paginate === undefined) continue
    const content = await readFile(join(directory, `${recordedFiles[resource.key]}.json`))
    Object.assign(form, await probeOrders(ask, service, resource, tokenOf(resource), form, content))
  }
  about.recorded = new Date().toISOString()
  await writeAbout(directory, about)
}

export const keysOf = ({ lists = {} }: Recording) => Object.keys(lists) as ListKey[]
