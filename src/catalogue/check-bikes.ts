import { complainOf, shown, type Complaint } from './complaint.ts'
import type { DataFile } from './files.ts'
import { eachRecord, fieldPointer, slugOf } from './references.ts'

/** Gives the milliseconds since 1970 of a timestamp, or NaN, which is neither before nor after anything. */
export function moment (timestamp: unknown): number {
  return typeof timestamp === 'string' && timestamp.endsWith('Z') ? Date.parse(timestamp) : NaN
}

/** Complains about bikes that contradict themselves. */
export function complainAboutBikes (file: DataFile): Complaint[] {
  const complaints: Complaint[] = []
  eachRecord(file, (bike, index) => {
    const { id, similar_bikes: similar, category, bike_type: type, date_added: added, date_updated: updated } = bike

    const self = Array.isArray(similar) ? similar.indexOf(id) : -1
    if (self !== -1) complaints.push(complainOf(fieldPointer(file, index, 'similar_bikes', self), 'self', 'must be another bike', id))

    const slug = slugOf(category)
    if (slug !== undefined && typeof type === 'string' && slug !== type) {
      complaints.push(complainOf(fieldPointer(file, index, 'bike_type'), 'category', `must be ${shown(slug)} like category.slug`, type))
    }
    if (moment(updated) < moment(added)) {
      complaints.push(complainOf(fieldPointer(file, index, 'date_updated'), 'dates', `must not be before date_added ${shown(added)}`, updated))
    }
  })
  return complaints
}
