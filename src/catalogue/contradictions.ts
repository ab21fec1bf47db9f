import { below, complainOf, shown, type Complaint } from './fault.ts'
import { eachRecord, fieldPointer, otherPlace, type DataFile, type UncheckedRecord } from './files.ts'
import { isBefore } from './timestamps.ts'

/** The slug of a bike's category; undefined if it is no text. */
export function slugOf (category: unknown): string | undefined {
  const slug = (category as UncheckedRecord | null | undefined)?.['slug']
  return typeof slug === 'string' ? slug : undefined
}

/** Complains about bikes that contradict themselves. */
export function complainAboutBikes (file: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  const names = new Map<unknown, { name: unknown, index: number }>()
  eachRecord(file, (bike, index) => {
    const { id, similar_bikes: similar, category, bike_type: type } = bike
    const { date_added: added, date_updated: updated, fitness_last_synced: synced } = bike

    const self = Array.isArray(similar) ? similar.indexOf(id) : -1
    if (self !== -1) complaints.push(complainOf(fieldPointer(file, index, 'similar_bikes', self), 'self', 'must be another bike', id))

    const slug = slugOf(category)
    if (slug !== undefined && typeof type === 'string' && slug !== type) {
      complaints.push(complainOf(fieldPointer(file, index, 'bike_type'), 'category', `must be ${shown(slug)} like category.slug`, type))
    }
    for (const [field, date] of [['date_updated', updated], ['fitness_last_synced', synced]] as const) {
      if (!isBefore(date, added)) continue
      complaints.push(complainOf(fieldPointer(file, index, field), 'dates', `must not be before date_added ${shown(added)}`, date))
    }

    const name = (category as UncheckedRecord | null | undefined)?.['name']
    const named = names.get(slug)
    if (named === undefined) {
      names.set(slug, { name, index })
    } else if (slug !== undefined && typeof name === 'string' && typeof named.name === 'string' && name !== named.name) {
      const pointer = below(fieldPointer(file, index, 'category'), 'name')
      const place = otherPlace(file, below(fieldPointer(file, named.index, 'category'), 'name'), pointer)
      complaints.push(complainOf(pointer, 'category', `must be ${shown(named.name)} like ${place}, which has the same slug`, name))
    }
  })
  return complaints
}

type Place = { readonly index: number, readonly item: number }

function eachReview (file: DataFile, visit: (review: UncheckedRecord, place: Place, bike: UncheckedRecord) => void): void {
  eachRecord(file, (bike, index) => {
    const { reviews } = bike
    if (!Array.isArray(reviews)) return
    reviews.forEach((review: unknown, item) => {
      if (typeof review === 'object' && review !== null) visit(review as UncheckedRecord, { index, item }, bike)
    })
  })
}

function reviewPointer (file: DataFile, { index, item }: Place, field: string): string {
  return below(fieldPointer(file, index, 'reviews', item), field)
}

/** Whether a value is visited twice. Numbers that rise, as ids mostly do, are not: to see that takes a tenth of the time of a set. */
export function hasRepeated (visit: (note: (value: unknown) => void) => void): boolean {
  let [isRising, last] = [true, -Infinity]
  visit(value => {
    if (typeof value === 'number' && value > last) last = value
    else isRising = false
  })
  if (isRising) return false
  const values = new Set<unknown>()
  let count = 0
  visit(value => {
    values.add(value)
    count++
  })
  return values.size < count
}

/** Complains about each review with the id of an earlier review, of whatever bike. */
export function complainAboutReviewIds (file: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  if (!hasRepeated(note => eachReview(file, ({ id }) => note(id)))) return complaints
  const places = new Map<unknown, Place>()
  eachReview(file, ({ id }, place) => {
    const earlier = places.get(id)
    if (earlier === undefined) {
      places.set(id, place)
    } else if (typeof id === 'number') {
      const pointer = reviewPointer(file, place, 'id')
      const must = `must differ from ${otherPlace(file, reviewPointer(file, earlier, 'id'), pointer)}`
      complaints.push(complainOf(pointer, 'unique', must, id))
    }
  })
  return complaints
}

/** Complains about each review that is older than its bike in v1. */
export function complainAboutReviewDates (file: DataFile, bikes: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  const dates = new Map<unknown, unknown>()
  eachRecord(bikes, ({ id, date_added: added }) => dates.set(id, added))
  eachReview(file, ({ date_added: date }, place, { id }) => {
    const added = dates.get(id)
    if (!isBefore(date, added)) return
    const must = `must not be before the bike's date_added ${shown(added)}`
    complaints.push(complainOf(reviewPointer(file, place, 'date_added'), 'dates', must, date))
  })
  return complaints
}

/** Complains about each v1 bike whose `review_count` is not the number of its reviews in v2. */
export function complainAboutReviewCounts (bikes: DataFile, file: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  const counts = new Map<unknown, number>()
  eachRecord(file, ({ id, reviews }) => {
    if (Array.isArray(reviews)) counts.set(id, reviews.length)
  })
  eachRecord(bikes, ({ id, review_count: count }, index) => {
    const wanted = counts.get(id)
    if (wanted === undefined || wanted === count || !Number.isInteger(count)) return
    complaints.push(complainOf(fieldPointer(bikes, index, 'review_count'), 'count', `must be ${wanted}, the number of its reviews`, count))
  })
  return complaints
}

/** Complains about a file that claims to be older than its newest record or review. */
export function complainAboutUpdate (file: DataFile): Complaint[] {
  const { updated } = (file.content ?? {}) as UncheckedRecord
  let newest = updated
  const note = (date: unknown) => { if (isBefore(newest, date)) newest = date }
  eachRecord(file, ({ date_added: added, date_updated: date }) => { note(added); note(date) })
  eachReview(file, ({ date_added: added }) => note(added))
  if (newest === updated) return []
  return [complainOf(file.updatedAt ?? '/updated', 'dates', `must not be before the newest date of its records, ${shown(newest)}`, updated)]
}
