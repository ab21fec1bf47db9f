import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filterCases, type WholeBike } from './filter-cases.ts'

// A process that filters the records of a data directory with Array.filter; prints the times in ms.
const [directory = '', times = '1'] = process.argv.slice(2)
const read = (folder: string) => (JSON.parse(readFileSync(join(directory, folder, 'bikes.json'), 'utf8')) as { bikes: WholeBike[] }).bikes
const details = new Map(read('v2').map(detail => [detail.id, detail]))
const bikes = read('v1').map(bike => ({ ...bike, ...details.get(bike.id) }))

const measured = filterCases.map(({ fits }) => Array.from({ length: Number(times) }, (_, n) => {
  const from = performance.now()
  const found = bikes.filter(fits(n))
  const time = performance.now() - from
  if (found.length === 0) throw new Error('nothing was found')
  return time
}))
console.log(JSON.stringify({ url: '', measured }))
