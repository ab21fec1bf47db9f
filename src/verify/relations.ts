import { isDeepStrictEqual } from 'node:util'
import { counted } from '../base/text.ts'
import type { Resource } from '../lists/resources.ts'
import { expect, isOfV2, type CheckRow, type Differences } from './check.ts'
import { idsIn, plainOf, type Series, type Session } from './exchange.ts'
import { maxPages } from './requests.ts'

/** A list, with what its relations compare it with. */
export type Related = Session & {
  /** The series of the plain request. */
  plain: Series
  /** Every list that is checked, by its key. */
  sessions: ReadonlyMap<string, Session>
  /** Whether methods may be sent that a service must reject. */
  probeWrites: boolean
}

/** The differences from a claim; a string is the reason why it can't be judged. */
export type Verdict = Differences | string

/** A claim that relates lists to one another, or responses to requests of its own. */
export type Relation = CheckRow & {
  relate: (related: Related) => Verdict | Promise<Verdict>
}

export const noPages = 'needs a list in pages'
export const unreadPages = `needs every page of the list, at most ${maxPages}`

const isOfBikes = ({ key }: Resource) => ['bikes', 'featured', 'bikesV2'].includes(key)

/** Judges whether a list before this one has the same records. */
function relateCopies ({ plain, sample, sessions, resource }: Related): Verdict {
  const isSame = (other: Session) => isDeepStrictEqual(other.sample, sample)
  const [original] = [...sessions.values()].filter(isSame) as [Session] // itself, if there is no other
  const isCopy = sample.size > 0 && original.resource !== resource
  return expect(!isCopy, 'records of its own', `those of ${original.resource.path}`, { request: plain.first.request })
}

/** Judges whether a list has the bikes of version 1: all of them, or the featured ones. */
function relateBikes ({ plain, sessions, resource: { key, path } }: Related): Verdict {
  const bikes = sessions.get('bikes')
  const all = bikes && plainOf(bikes)
  if (all === undefined) return 'needs /api/v1/bikes/'
  if (!plain.isWhole || !all.isWhole) return unreadPages
  const isWanted = (id: string) => key !== 'featured' || bikes?.sample.get(id)?.['is_featured'] === true
  const ids = idsIn(plain)
  const wanted = idsIn(all).filter(isWanted)
  const missing = wanted.find(id => !ids.includes(id))
  const added = ids.find(id => !wanted.includes(id))
  const got = missing === undefined ? `also record ${added}` : `no record ${missing}`
  const { request } = plain.first
  const isSame = (missing ?? added) === undefined
  return expect(isSame, `the ${counted(wanted.length, 'bike')} of /api/v1/bikes/ in ${path}`, got, { request })
}

/** Every relation, in the order of a list's report. */
export const relations: readonly Relation[] = [
  {
    id: 'complete', claim: 'has the bikes whose is_featured is true', clause: 'D51',
    of: ({ key }) => key === 'featured',
    relate: relateBikes
  },
  {
    id: 'copy', claim: 'is no copy of another list', clause: 'D51',
    of: resource => !isOfBikes(resource),
    relate: relateCopies
  },
  {
    id: 'superset', claim: 'has the bikes of version 1', clause: 'D33', of: isOfV2,
    relate: relateBikes
  }
]
