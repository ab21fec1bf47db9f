import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Change, changesOf } from './mutations/changes.ts'
import { isNoticed, measure, prepare, type TestFile } from './mutations/tests.ts'

// Changes one operator, constant or condition at a time and tells which changes no test notices.
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', multiple: true, default: ['src/lists', 'src/http', 'src/routes', 'src/catalogue'] }
  }
})

const enough = 0.95

/** Changes after which the program does the same, by file, line of source and replacement, with the reason. */
const equivalent: readonly { file: string, source: string, text: string, reason: string }[] = [
  { file: 'src/routes/served.ts', source: 'if (known?.text === text) return known', text: 'false', reason: 'only saves a digest' },
  { file: 'src/routes/served.ts', source: 'if (origin !== last.origin) last = { origin, text: parts().join(origin) }', text: 'true', reason: 'only saves a copy' },
  { file: 'src/http/request.ts', source: "app.decorateRequest('client', '')", text: "'changed'", reason: 'set before it is read' },
  {
    file: 'src/lists/filter.ts',
    source: 'count = others.length === 0 ? narrow(left, count, first, every) : narrowByAny(left, count, [first, ...others], every)',
    text: 'false',
    reason: 'only saves time'
  },
  {
    file: 'src/catalogue/acceptors.ts',
    source: 'const ajv = new Ajv({ meta: false, validateSchema: false, code: { optimize: false } }).addFormat(\'date-time\', isTimestamp)',
    text: 'true',
    reason: 'only saves time'
  },
  {
    file: 'src/catalogue/contradictions.ts',
    source: "if (typeof value === 'number' && value > last) last = value",
    text: "''",
    reason: 'only saves time'
  },
  { file: 'src/catalogue/pieces.ts', source: 'if (separator === undefined) return from', text: 'true', reason: 'only saves time' },
  {
    file: 'src/catalogue/reload.ts',
    source: 'return loadCatalogue(data, { overlay, checked: await sizeOf(data) < checkedApart ? undefined : await checkApart(source) })',
    text: '<=',
    reason: 'at the bound either is right'
  },
  {
    file: 'src/lists/query.ts',
    source: 'return plain.test(text) ? text : encodeURIComponent(text).replace(/%20|[!\'()*]/g, found => escapes[found] as string)',
    text: 'false',
    reason: 'only saves time'
  },
  {
    file: 'src/lists/serialise.ts',
    source: "return typeof value !== 'object' || value === null ? String(value) : escapeSeparators(JSON.stringify(value))",
    text: '&&',
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
    file: 'src/lists/representation.ts',
    source: 'return count < manyRecords ? 0 : aboutLength(write(resource, compact), count)',
    text: '(0 + 1)',
    reason: 'is not too long either'
  },
  { file: 'src/http/rate-limit.ts', source: 'if (ipv4 !== undefined) return ipv4', text: 'false', reason: 'only saves time' },
  { file: 'src/catalogue/pieces.ts', source: "if (isAscii(bytes)) return bytes.toString('latin1')", text: 'false', reason: 'only saves time' },
  { file: 'src/lists/shelf.ts', source: 'const originPlace = -1', text: '(1 + 1)', reason: 'is no place either' },
  {
    file: 'src/catalogue/pieces.ts',
    source: "return isUtf8(bytes) ? transcode(bytes, 'utf8', 'ucs2').toString('ucs2') : undefined",
    text: "''",
    reason: 'Node takes no name for UTF-8'
  },
  {
    file: 'src/http/target.ts',
    source: 'if (last !== undefined && host === last.host && protocol === last.protocol) return last.origin',
    text: 'false',
    reason: 'only saves time'
  },
  { file: 'src/http/metrics.ts', source: 'while (seconds > (bounds[place] as number)) place++', text: '>=', reason: 'no time is a bound' },
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
  },
  { file: 'src/lists/shelf.ts', source: 'let [number, end, total] = [0, 0, 0]', text: '(0 + 1)', reason: 'the first chunk sets what counts' }
]

const filesIn = (folder: string, end: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith(end))
  .map(file => `${folder}/${file}`.replaceAll('\\', '/'))
  .sort()

const isEquivalent = ({ file, source, text }: Change) =>
  equivalent.some(known => known.file === file && known.source === source && known.text === text)

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function * random (seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = state + 0x6d2b79f5 | 0
    let value = Math.imul(state ^ state >>> 15, 1 | state)
    value = value + Math.imul(value ^ value >>> 7, 61 | value) ^ value
    yield ((value ^ value >>> 14) >>> 0) / 2 ** 32
  }
}

function shuffle (changes: Change[], seed: number): Change[] {
  const numbers = random(seed)
  return changes.map(change => ({ change, number: numbers.next().value })).sort((a, b) => a.number - b.number).map(({ change }) => change)
}

/** Does a task for each item, two at a time. */
async function inPairs<T> (items: readonly T[], task: (item: T, place: number) => Promise<void>): Promise<void> {
  const waiting = items.entries()
  const worker = async () => { for (const [place, item] of waiting) await task(item, place) }
  await Promise.all([worker(), worker()])
}

prepare()
const tests: TestFile[] = []
const testFiles = filesIn('test', '.test.ts').filter(file => !file.startsWith('test/scripts/'))
await inPairs(testFiles, async (file, place) => {
  const test = await measure(file, place)
  if (test === undefined) console.log(`${file} does not pass as it is, and is left out`)
  else tests.push(test)
})

const all = values.in.flatMap(folder => filesIn(folder, '.ts')).flatMap(file => changesOf(file, readFileSync(file, 'utf8')))
const chosen = shuffle(all, Number(values.seed)).filter(change => !isEquivalent(change)).slice(0, Number(values.count))
let noticed = 0
await inPairs(chosen, async (change, place) => {
  if (await isNoticed(change, tests, place)) noticed++
  else console.log(`${change.file}:${change.line} ${change.from} → ${change.text}    ${change.source}`)
})

console.log(`${noticed} of ${chosen.length} changes noticed (${(noticed / chosen.length * 100).toFixed(1)} %); ${all.length} could be made`)
if (noticed < enough * chosen.length) process.exitCode = 1
