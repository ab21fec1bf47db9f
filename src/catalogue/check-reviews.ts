import { isBefore } from './check-bikes.ts'
import { complainOf, shown, type Complaint } from './complaint.ts'
import type { DataFile } from './files.ts'
import { below, label } from './pointer.ts'
import { eachRecord, fieldPointer, type UncheckedRecord } from './references.ts'

function eachReview (file: DataFile, visit: (review: UncheckedRecord, index: number, item: number, bike: UncheckedRecord) => void): void {
  eachRecord(file, (bike, index) => {
    const { reviews } = bike
    if (!Array.isArray(reviews)) return
    reviews.forEach((review: unknown, item) => {
      if (typeof review === 'object' && review !== null) visit(review as UncheckedRecord, index, item, bike)
    })
  })
}

function reviewPointer (file: DataFile, index: number, item: number, field: string): string {
  return below(fieldPointer(file, index, 'reviews', item), field)
}

function hasRepeatedIds (file: DataFile): boolean {
  const ids: unknown[] = []
  eachReview(file, ({ id }) => ids.push(id))
  return new Set(ids).size < ids.length
}

/** Complains about each review with the id of an earlier review, of whatever bike. */
export function complainAboutReviewIds (file: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  // The places of half a million reviews are only remembered when they are needed.
  if (!hasRepeatedIds(file)) return complaints
  const places = new Map<unknown, string>()
  eachReview(file, ({ id }, index, item) => {
    if (typeof id !== 'number') return
    const pointer = reviewPointer(file, index, item, 'id')
    const place = places.get(id)
    if (place === undefined) places.set(id, pointer)
    else complaints.push(complainOf(pointer, 'unique', `must differ from ${label(place)}`, id))
  })
  return complaints
}

/** Complains about each review that is older than its bike in v1. */
export function complainAboutReviewDates (file: DataFile, bikes: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  const dates = new Map<unknown, unknown>()
  eachRecord(bikes, ({ id, date_added: added }) => dates.set(id, added))
  eachReview(file, ({ date_added: date }, index, item, { id }) => {
    const added = dates.get(id)
    if (!isBefore(date, added)) return
    complaints.push(complainOf(reviewPointer(file, index, item, 'date_added'), 'dates', `must not be before the bike's date_added ${shown(added)}`, date))
  })
  return complaints
}

/** Complains about each v1 bike whose `review_count` is not the number of its reviews in v2. */
export function complainAboutReviewCounts (file: DataFile, details: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  const counts = new Map<unknown, number>()
  eachRecord(details, ({ id, reviews }) => {
    if (Array.isArray(reviews)) counts.set(id, reviews.length)
  })
  eachRecord(file, ({ id, review_count: count }, index) => {
    const wanted = counts.get(id)
    if (wanted === undefined || wanted === count || !Number.isInteger(count)) return
    complaints.push(complainOf(fieldPointer(file, index, 'review_count'), 'count', `must be ${wanted}, the number of its reviews`, count))
  })
  return complaints
}
