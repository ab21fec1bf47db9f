import { complainOf, shown, type Complaint } from './fault.ts'
import { eachRecord, isObject, otherPlace, type At, type DataFile, type Listed, type Placed, type UncheckedRecord } from './files.ts'
import { isBefore } from './timestamps.ts'

const categoryOf = ({ category }: UncheckedRecord): UncheckedRecord => isObject(category) ? category : {}

/** Returns the slug of a bike's category, or undefined if it is not a string. */
export function slugOf (bike: UncheckedRecord): string | undefined {
  const { slug } = categoryOf(bike)
  return typeof slug === 'string' ? slug : undefined
}

/** Finds bikes that contradict themselves, or an earlier bike of their category. */
export function complainAboutBikes (file: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  const names = new Map<string, Placed>()
  eachRecord(file, (bike, at) => {
    const { id, similar_bikes: similar, bike_type: type, date_added: added } = bike

    const self = Array.isArray(similar) ? similar.indexOf(id) : -1
    if (self !== -1) complaints.push(complainOf(at('similar_bikes', self), 'self', 'must be another bike', id))

    const slug = slugOf(bike)
    if (slug !== undefined && typeof type === 'string' && slug !== type) {
      complaints.push(complainOf(at('bike_type'), 'category', `must be ${shown(slug)} like category.slug`, type))
    }
    for (const field of ['date_updated', 'fitness_last_synced']) {
      complaints.push(...complainAboutDate(bike[field], () => at(field), 'date_added', added))
    }

    const name = { value: categoryOf(bike)['name'], at: () => at('category', 'name') }
    if (slug === undefined || typeof name.value !== 'string') return
    const named = names.get(slug) ?? name
    names.set(slug, named)
    if (named.value === name.value) return
    const place = otherPlace(file, named.at(), name.at())
    const must = `must be ${shown(named.value)} like ${place}, which has the same slug`
    complaints.push(complainOf(name.at(), 'category', must, name.value))
  })
  return complaints
}

function complainAboutDate (date: unknown, at: At, noun: string, earliest: unknown): Complaint[] {
  return isBefore(date, earliest) ? [complainOf(at(), 'dates', `must not be before ${noun} ${shown(earliest)}`, date)] : []
}

function eachReview (file: Listed, visit: (review: UncheckedRecord, at: At, bike: UncheckedRecord) => void): void {
  eachRecord(file, (bike, at) => {
    if (!Array.isArray(bike['reviews'])) return
    bike['reviews'].forEach((review: unknown, item) => {
      if (isObject(review)) visit(review, (...parts) => at('reviews', item, ...parts), bike)
    })
  })
}

/** Returns the ids of all reviews that are numbers. */
export function reviewIds (file: DataFile): Placed[] {
  const ids: Placed[] = []
  eachReview(file, ({ id }, at) => { if (typeof id === 'number') ids.push({ value: id, at: () => at('id') }) })
  return ids
}

/** Finds reviews that are older than their bike in v1. */
export function complainAboutReviewDates (file: DataFile, bikes: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  const dates = new Map<unknown, unknown>()
  eachRecord(bikes, ({ id, date_added: added }) => dates.set(id, added))
  eachReview(file, ({ date_added: date }, at, { id }) => {
    complaints.push(...complainAboutDate(date, () => at('date_added'), "the bike's date_added", dates.get(id)))
  })
  return complaints
}

/** Finds v1 bikes with a `review_count` that differs from the number of their reviews in v2. */
export function complainAboutReviewCounts (bikes: DataFile, file: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  const counts = new Map<unknown, number>()
  eachRecord(file, ({ id, reviews }) => { if (Array.isArray(reviews)) counts.set(id, reviews.length) })
  eachRecord(bikes, ({ id, review_count: count }, at) => {
    const wanted = counts.get(id)
    if (wanted === undefined || wanted === count || !Number.isInteger(count)) return
    complaints.push(complainOf(at('review_count'), 'count', `must be ${wanted}, the number of its reviews`, count))
  })
  return complaints
}

/** Finds an `updated` that is earlier than the newest record or review of its file. */
export function complainAboutUpdate (file: DataFile): Complaint[] {
  const { updated } = (file.content ?? {}) as UncheckedRecord
  const newest = newestDate(file)
  if (newest === updated) return []
  return [complainOf(file.updatedAt ?? '/updated', 'dates', `must not be before the newest date of its records, ${shown(newest)}`, updated)]
}

/** Returns the latest of a file's `updated` and the dates of its records and reviews. */
export function newestDate (file: Listed & Pick<DataFile, 'content'>): unknown {
  const { updated } = (file.content ?? {}) as UncheckedRecord
  let newest = updated
  const note = (date: unknown) => { if (isBefore(newest, date)) newest = date }
  eachRecord(file, ({ date_added: added, date_updated: date }) => { note(added); note(date) })
  eachReview(file, ({ date_added: added }) => note(added))
  return newest
}
