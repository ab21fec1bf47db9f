import { Session, type Profiler } from 'node:inspector/promises'
import { start } from '../src/start.ts'

// node --import ts-blank-space/register tools/functions.ts: prints how many files and functions of src/ and schemas/
// run, by V8's coverage.
// With --verbose it prints their names.

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** Returns the names of the functions that have run since the last call, by file; a module's own code is none. */
async function taken (): Promise<[file: string, names: string[]][]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const hasRun = ({ functionName, ranges: [range] }: Profiler.FunctionCoverage) =>
    range !== undefined && range.count > 0 && (functionName !== '' || range.startOffset !== 0)
  const files = result.map(({ url, functions }): [string, string[]] => {
    const [file = ''] = /(?:src|schemas)\/[\w/-]+\.ts$/.exec(url) ?? []
    return [file, functions.filter(hasRun).map(({ functionName }) => functionName || '()')]
  })
  return files.filter(([file, names]) => file !== '' && names.length > 0)
}

async function count<Result> (name: string, work: () => Promise<Result>): Promise<Result> {
  await taken()
  const result = await work()
  const ran = await taken()
  const functions = ran.flatMap(([, names]) => names).length
  const cells = [name.padEnd(36), `${ran.length} files`.padStart(10), `${functions} functions`.padStart(16)]
  console.log(cells.join(''))
  if (process.argv.includes('--verbose')) for (const [file, names] of ran) console.log(`  ${file}: ${names.join(' ')}`)
  return result
}

const plain = await count('boot', () => start({ tokens: ['counted'] }))
const simulating = await start({ simulate: true })
const get = (url: string, headers = {}) => async () => { await (await fetch(url, { headers })).arrayBuffer() }

const list = '/api/v1/wheels/'
for (const { url } of [plain, simulating]) await get(`${url}/api/v1/brakes/`)()
await count('a list when first asked', get(plain.url + list))
await count('a list when cached', get(plain.url + list))
const query = '?format=api&page=2&page_size=5&brand=trek,canyon,giant&year__gte=2015&search=e&ordering=-price'
const filtered = get(`${plain.url}/api/v2/bikes/${query}`, { authorization: 'Token counted' })
await count('a page of version 2.1 with filters', filtered)
await count('a simulated 503', get(simulating.url + list, { prefer: 'code=503' }))
await count('reload', plain.reload)
await plain.close()
await simulating.close()
