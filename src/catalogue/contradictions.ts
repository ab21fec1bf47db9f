import { brief } from './fault.ts'
import {
  isObject, otherName, placeOf, placeOfField, report, type Field, type List, type Row, type UncheckedRecord
} from './source.ts'
import { isBefore } from './timestamps.ts'

const categoryOf = ({ category }: UncheckedRecord): UncheckedRecord => isObject(category) ? category : {}

/** Returns the slug of a bike's category, or undefined if it is not a string. */
export function slugOf (bike: UncheckedRecord): string | undefined {
  const { slug } = categoryOf(bike)
  return typeof slug === 'string' ? slug : undefined
}

/** Reports bikes that contradict themselves, or an earlier bike of their category. */
export function checkBikes ({ rows }: List): void {
  const named = new Map<string, Row>()
  for (const row of rows) {
    const { record } = row
    const { id, similar_bikes: similar, bike_type: type, date_added: added } = record

    const self = Array.isArray(similar) ? similar.indexOf(id) : -1
    if (self !== -1) report(placeOf(row, 'similar_bikes', self), 'self', 'must be another bike', id)

    const slug = slugOf(record)
    if (slug !== undefined && typeof type === 'string' && slug !== type) {
      report(placeOf(row, 'bike_type'), 'category', `must be ${brief(slug)} like category.slug`, type)
    }
    for (const name of ['date_updated', 'fitness_last_synced']) {
      if (isBefore(record[name], added)) reportDate({ value: record[name], row, path: [name] }, 'date_added', added)
    }

    const { name } = categoryOf(record)
    if (slug === undefined || typeof name !== 'string') continue
    const first = named.get(slug) ?? row
    named.set(slug, first)
    const { name: firstName } = categoryOf(first.record)
    if (firstName === name) continue
    const place = placeOf(row, 'category', 'name')
    const other = otherName(placeOf(first, 'category', 'name'), place)
    report(place, 'category', `must be ${brief(firstName)} like ${other}, which has the same slug`, name)
  }
}

function reportDate (field: Field, noun: string, earliest: unknown): void {
  report(placeOfField(field), 'dates', `must not be before ${noun} ${brief(earliest)}`, field.value)
}

function eachReview ({ rows }: List, visit: (review: UncheckedRecord, row: Row, index: number) => void): void {
  for (const row of rows) {
    const { reviews } = row.record
    if (Array.isArray(reviews)) reviews.forEach((review: unknown, index) => { if (isObject(review)) visit(review, row, index) })
  }
}

/** Returns the wanted values of a field in all reviews. */
export function reviewFields (bikes: List, name: string, isWanted: (value: unknown, bike: UncheckedRecord) => boolean): Field[] {
  const fields: Field[] = []
  eachReview(bikes, ({ [name]: value }, row, index) => {
    if (isWanted(value, row.record)) fields.push({ value, row, path: ['reviews', index, name] })
  })
  return fields
}

/** Reports reviews that are older than their bike in v1. */
export function checkReviewDates (details: List, bikes: List): void {
  const dates = new Map(bikes.rows.map(({ record: { id, date_added: added } }) => [id, added]))
  const addedOf = ({ id }: UncheckedRecord) => dates.get(id)
  for (const field of reviewFields(details, 'date_added', (date, bike) => isBefore(date, addedOf(bike)))) {
    reportDate(field, "the bike's date_added", addedOf(field.row.record))
  }
}

/** Reports v1 bikes with a `review_count` that differs from the number of their reviews in v2. */
export function checkReviewCounts (bikes: List, details: List): void {
  const counts = new Map(details.rows.map(({ record: { id, reviews } }) => [id, Array.isArray(reviews) ? reviews.length : undefined]))
  for (const row of bikes.rows) {
    const { id, review_count: count } = row.record
    const wanted = counts.get(id)
    if (wanted === undefined || wanted === count || !Number.isInteger(count)) continue
    report(placeOf(row, 'review_count'), 'count', `must be ${wanted}, the number of its reviews`, count)
  }
}

/** Reports an `updated` that is earlier than the newest record or review of its list. */
export function checkUpdate (list: List): void {
  const { updated: { value, source } } = list
  const newest = newestDate(list)
  if (newest === value) return
  const must = `must not be before the newest date of its records, ${brief(newest)}`
  report({ source, pointer: '/updated' }, 'dates', must, value)
}

/** Returns the latest of a list's `updated` and the dates of its records and reviews. */
export function newestDate (list: List): unknown {
  let newest = list.updated.value
  const note = (date: unknown) => { if (isBefore(newest, date)) newest = date }
  for (const { record: { date_added: added, date_updated: updated } } of list.rows) [added, updated].forEach(note)
  eachReview(list, ({ date_added: added }) => note(added))
  return newest
}
