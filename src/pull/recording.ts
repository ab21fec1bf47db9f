import type { ListKey } from '../../schemas/lists.ts'
import type { Recording } from '../../schemas/stored.ts'
import { recordedFiles, recordingFile } from '../catalogue/files.ts'
import { resources } from '../lists/resources.ts'
import { writeBelow } from './directory.ts'
import { readList, type Service } from './lists.ts'

export const writeAbout = (directory: string, about: Recording) =>
  writeBelow(directory, recordingFile, `${JSON.stringify(about, null, 2)}\n`)

/** Writes all lists below an address into a directory, those of v2.1 only with a token; returns what recording.json says of them. */
export async function writeLists (service: Service, token: string | undefined, directory: string): Promise<Recording> {
  const { base, signal, warn } = service
  const lists: NonNullable<Recording['lists']> = {}
  for (const resource of resources.filter(({ access }) => access === 'public' || token !== undefined)) {
    signal.throwIfAborted()
    const { key, path, access } = resource
    const list = await readList(service, resource, access === 'token' ? token : undefined)
    if (list !== undefined) {
      await writeBelow(directory, `${recordedFiles[key]}.json`, list.content)
      lists[key] = list.form
      continue
    }
    const { href } = new URL(`.${path}`, base)
    if (key === 'bikes') throw new Error(`${href} responds with 404; if the service has a base path, add it: ${base.href}path`)
    warn(`${href} responds with 404, so the list is missing`)
  }
  const about = { url: base.href, recorded: new Date().toISOString(), lists }
  await writeAbout(directory, about)
  return about
}

export const keysOf = ({ lists = {} }: Recording) => Object.keys(lists) as ListKey[]
