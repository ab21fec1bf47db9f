import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createRandom } from '../../src/base/random.ts'
import { type Change, changesOf } from './changes.ts'
import { copyProject, isNoticed, measure, type TestFile } from './tests.ts'

// Changes one operator, constant or condition at a time and prints the changes that no test detects.
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', multiple: true, default: ['1'] },
    in: { type: 'string', multiple: true, default: ['src/lists', 'src/http', 'src/catalogue'] }
  }
})

/** The share of changes that tests must detect; some changes have no effect. */
const enough = 0.95

const filesIn = (folder: string, end: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith(end))
  .map(file => `${folder}/${file}`.replaceAll('\\', '/'))
  .sort()

function shuffle (changes: Change[], seed: number): Change[] {
  const random = createRandom(seed)
  return changes.map(change => ({ change, number: random() })).sort((a, b) => a.number - b.number).map(({ change }) => change)
}

process.once('SIGINT', () => process.exit(130)) // test files run in groups of their own
const copies = ['1', '2'].map(copyProject)

/** Processes items with one worker for each copy. */
async function inCopies<T> (items: readonly T[], task: (copy: string, item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  await Promise.all(copies.map(async copy => { for (const item of waiting) await task(copy, item) }))
}

const tests: TestFile[] = []
const testFiles = filesIn('test', '.test.ts').filter(file => !file.startsWith('test/tools/'))
await inCopies(testFiles, async (copy, file) => {
  const test = await measure(copy, file)
  if (test === undefined) console.log(`${file} does not pass as it is, and is left out`)
  else tests.push(test)
})
console.log(`${tests.length} test files measured in ${Math.round(performance.now() / 1000)} s`)

const all = values.in.flatMap(folder => filesIn(folder, '.ts')).flatMap(file => changesOf(file, readFileSync(file, 'utf8')))
for (const seed of values.seed) {
  const chosen = shuffle(all, Number(seed)).slice(0, Number(values.count))
  let noticed = 0
  await inCopies(chosen, async (copy, change) => {
    if (await isNoticed(copy, change, tests)) noticed++
    else console.log(`${change.file}:${change.line} ${change.from} → ${change.text}    ${change.source}`)
  })
  const [share, minutes] = [(noticed / chosen.length * 100).toFixed(1), Math.round(performance.now() / 60_000)]
  console.log(`seed ${seed}: ${noticed} of ${chosen.length} changes noticed (${share} %); ${all.length} could be made; ${minutes} min`)
  if (noticed < enough * chosen.length) process.exitCode = 1
}
