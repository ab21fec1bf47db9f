import { moment } from './check-bikes.ts'
import { complainOf, shown, type Complaint } from './complaint.ts'
import type { DataFile } from './files.ts'
import { below, label } from './pointer.ts'
import { eachRecord, fieldPointer, type UncheckedRecord } from './references.ts'

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

function hasRepeatedIds (file: DataFile): boolean {
  const ids: unknown[] = []
  eachReview(file, ({ id }) => ids.push(id))
  return new Set(ids).size < ids.length
}

/** Complains about each review with the id of an earlier review, of whatever bike. */
export function complainAboutReviewIds (file: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  // The places of half a million reviews are noted only when they are needed.
  if (!hasRepeatedIds(file)) return complaints
  const places = new Map<unknown, Place>()
  eachReview(file, ({ id }, place) => {
    const earlier = places.get(id)
    if (earlier === undefined) {
      places.set(id, place)
    } else if (typeof id === 'number') {
      const must = `must differ from ${label(reviewPointer(file, earlier, 'id'))}`
      complaints.push(complainOf(reviewPointer(file, place, 'id'), 'unique', must, id))
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
    if (!(moment(date) < moment(added))) return
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
