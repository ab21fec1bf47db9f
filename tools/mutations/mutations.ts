import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { seeded } from '../generate/random.ts'
import { type Change, changesOf } from './changes.ts'
import { copyProject, type Copy, isNoticed, measure, type TestFile } from './tests.ts'

// Changes one operator, constant or condition at a time and prints the changes that no test detects.
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', multiple: true, default: ['src/lists', 'src/http', 'src/routes', 'src/catalogue'] }
  }
})

const enough = 0.95

/** Equivalent changes, by file, line of source and replacement, with the reason. */
const equivalent: readonly { file: string, source: string, text: string, reason: string }[] = [
  {
    file: 'src/catalogue/acceptors.ts',
    source: 'const ajv = new Ajv({ meta: false, validateSchema: false, code: { optimize: false } }).addFormat(\'date-time\', isTimestamp)',
    text: 'true',
    reason: 'only saves time'
  },
  {
    file: 'src/lists/query.ts',
    source: 'return plain.test(text) ? text : encodeURIComponent(text).replace(/%20|[!\'()*]/g, found => escapes[found] as string)',
    text: 'false',
    reason: 'only saves time'
  },
  {
    file: 'src/catalogue/detail.ts',
    source: 'same_brand: sameBrand.slice(0, maxSameBrand + 1).filter(({ id }) => id !== bike.id).slice(0, maxSameBrand)',
    text: '(1 + 1)',
    reason: 'only saves time'
  },
  {
    file: 'src/lists/query.ts',
    source: 'if (pairs.test(a) || pairs.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))',
    text: 'true',
    reason: 'only saves time'
  },
  {
    file: 'src/http/negotiation.ts',
    source: "const indent = /^\\s*[+-]?\\d+\\s*$/.test(text ?? '') ? Number(text) : 0",
    text: "'changed'",
    reason: 'is no number either'
  },
  {
    file: 'src/http/negotiation.ts',
    source: "const parameters = readParameters(end === -1 ? '' : entry.slice(end + 1))",
    text: '-',
    reason: 'what stands before is no parameter'
  },
  {
    file: 'src/http/target.ts',
    source: 'if (last !== undefined && host === last.host && protocol === last.protocol) return last.origin',
    text: 'false',
    reason: 'only saves time'
  },
  { file: 'src/lists/json.ts', source: 'if (indent > 0) return Buffer.from(toJson(records, indent))', text: 'true', reason: 'only saves time' },
  { file: 'src/lists/page.ts', source: 'if (known !== undefined) return known', text: 'false', reason: 'only saves time' },
  {
    file: 'src/catalogue/scan.ts',
    source: 'export const nowhere = (): Wanted => ({ parts: new Map(), name: 0, value: 0 })',
    text: '(0 + 1)',
    reason: 'set before it is read'
  },
  {
    file: 'src/http/forwarded.ts',
    source: "if (forwarded === undefined || trusts(request.socket.remoteAddress ?? '', 0)) return",
    text: "'changed'",
    reason: 'nobody is trusted without an address'
  }
]

const filesIn = (folder: string, end: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith(end))
  .map(file => `${folder}/${file}`.replaceAll('\\', '/'))
  .sort()

const isEquivalent = ({ file, source, text }: Change) =>
  equivalent.some(known => known.file === file && known.source === source && known.text === text)

function shuffle (changes: Change[], seed: number): Change[] {
  const random = seeded(seed)
  return changes.map(change => ({ change, number: random() })).sort((a, b) => a.number - b.number).map(({ change }) => change)
}

const copies = ['1', '2'].map(copyProject)

/** Processes items with one worker for each copy. */
async function inCopies<T> (items: readonly T[], task: (copy: Copy, item: T) => Promise<void>): Promise<void> {
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

const all = values.in.flatMap(folder => filesIn(folder, '.ts')).flatMap(file => changesOf(file, readFileSync(file, 'utf8')))
const chosen = shuffle(all, Number(values.seed)).filter(change => !isEquivalent(change)).slice(0, Number(values.count))
let noticed = 0
await inCopies(chosen, async (copy, change) => {
  if (await isNoticed(copy, change, tests)) noticed++
  else console.log(`${change.file}:${change.line} ${change.from} → ${change.text}    ${change.source}`)
})

console.log(`${noticed} of ${chosen.length} changes noticed (${(noticed / chosen.length * 100).toFixed(1)} %); ${all.length} could be made`)
if (noticed < enough * chosen.length) process.exitCode = 1
