import { resources, type Resource } from '../lists/resources.ts'
import { nearest } from '../base/nearest.ts'

/** The most segments of a path that are read. */
const maxSegments = 8

/** The name of a list is the last word of its path; that of version 2.1 is also a name of version 1. */
const listsByName = new Map<string, Resource>()
for (const resource of resources) {
  const name = resource.path.split('/').at(-2) as string
  if (resource.access === 'public') listsByName.set(name, resource)
}

const names = [...listsByName.keys()]

const paths = resources.map(({ path }) => path)

const newestList = resources.find(({ access }) => access === 'token') as Resource

/** Returns the words of a path, such as `api`, `v1` and `bikes`, in lower case and without an extension. */
function pathWords (path: string): string[] {
  const segments = path.toLowerCase().split('/', 2 * maxSegments)
  const words = segments.filter(segment => segment !== '').slice(0, maxSegments)
  return words.map(word => word.replace(/\.[a-z]+$/, ''))
}

/** Returns whether a path has the name of a list, such as `/bikes/` or `/v1/bikes`. */
export const namesList = (path: string): boolean => pathWords(path).some(word => listsByName.has(word))

/** Says in one sentence what the client of a path without a list or image probably meant. */
export function pathAdvice (path: string): string {
  const words = pathWords(path)
  const lists = words.map(word => listsByName.get(nearest(word, names) ?? ''))
  const at = lists.findLastIndex(list => list !== undefined)
  const list = lists[at]
  if (list === undefined) return `no list has this path; the lists are ${paths.join(', ')}`
  const isNewest = words.slice(0, at).some(word => /^v?2(?:\.\d+)?$/.test(word))
  if (isNewest && list.key !== 'bikes') {
    return `version 2.1 has bikes only: ${newestList.path}; use ${list.path} of version 1`
  }
  const meant = isNewest ? newestList.path : list.path
  const isRecord = at < words.length - 1
  if (isRecord) return `a single record has no path of its own; get ${meant} and filter the list by id in the client`
  return `no list has this path; did you mean ${meant}?`
}
