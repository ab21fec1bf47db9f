import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { buildApp } from '../../src/app.ts'
import { CatalogueFaults, faultLine } from '../../src/catalogue/fault.ts'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { resources } from '../../src/lists/resources.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { faultsOf } from './judge.ts'
import { mutate } from './mutate.ts'
import type { Plan } from './plan.ts'
import { token } from './requests.ts'
import { command, kept } from './server.ts'

/** The smallest catalogue that has everything. */
const valid = 'test/fixtures/catalogue'

/** A catalogue with one fault is found faulty within this time, however busy the machine, in milliseconds. */
const patience = 20_000

type Fault = (directory: string) => void

const replace = (file: string, from: string, to: string): Fault => directory => {
  const path = join(directory, file)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
  writeFileSync(path, text.replace(from, () => to))
}
const bikes = (from: string, to: string) => replace('v1/bikes.json', from, to)
const manifest = (from: string, to: string) => replace('media/manifest.json', from, to)
const picture = (address: string) => bikes(
  '"featured_image": "https://pictures.example/plain.jpg"',
  `"featured_image": ${JSON.stringify(address)}`
)

/** What was accepted in silence once and made wrong answers: each must be refused, with its place. */
const classes: Readonly<Record<string, Fault>> = {
  'a property twice': bikes('"title": "Plain"', '"title": "Plain", "title": "Other"'),
  'a list twice': replace('v1/tyres.json', '"tyres": [', '"tyres": [], "tyres": ['),
  'a picture without a scheme': picture('//evil.example/x.jpg'),
  'a list as picture': picture('/api/v1/bikes/'),
  'a picture above': picture('/media/../x.jpg'),
  'a picture that is escaped badly': picture('/%'),
  'a script as picture': picture('javascript:alert(1)'),
  'a picture with a host that is none': picture('http://[/x.jpg'),
  'an empty picture': picture(''),
  'a picture that is deleted': directory => unlinkSync(join(directory, 'media/bikes/swift.jpg')),
  'a picture that is cut off': directory => truncateSync(join(directory, 'media/full/bikes/swift.png'), 10),
  'a picture that is something else': directory => cpSync(join(directory, 'v1/bikes.json'), join(directory, 'media/full/bikes/swift.png')),
  'another width': manifest('"width": 96', '"width": 97'),
  'another height': manifest('"height": 64', '"height": 63'),
  'another number of bytes': manifest('"bytes": 304', '"bytes": 303'),
  'another format': manifest('"format": "jpeg"', '"format": "png"'),
  'a picture without entry': directory => cpSync(join(directory, 'media/bikes/swift.jpg'), join(directory, 'media/bikes/other.jpg')),
  'an entry twice': manifest(
    '"pictures": {',
    '"pictures": { "/media/bikes/swift.jpg": {"format":"jpeg","width":96,"height":64,"bytes":304,"source":"0123456789ab"},'
  ),
  'an entry outside': manifest('"/media/bikes/swift.jpg"', '"/v1/bikes.json"'),
  'a link that leads outside': directory => {
    unlinkSync(join(directory, 'media/bikes/swift.jpg'))
    symlinkSync('/etc/hostname', join(directory, 'media/bikes/swift.jpg'))
  },
  'a folder linked from outside': directory => {
    rmSync(join(directory, 'media/full'), { recursive: true })
    symlinkSync('/usr/share', join(directory, 'media/full'))
  },
  'an integer beyond 2^53': bikes('"view_count": 0', '"view_count": 9007199254740993'),
  'an id beyond 2^53': bikes('"added_by": 1', '"added_by": 9007199254740993'),
  'a number that is infinite': bikes('"view_count": 0', '"view_count": 1e999'),
  'a weight of 1e308': replace('v2/saddles.json', '240', '1e308'),
  'a measurement of 1e308': replace('v2/saddles.json', '250', '1e308'),
  'a price without end': replace('v2/bikes.json', '1499.00', `${'9'.repeat(400)}.00`),
  'a weight that no bike has': replace('v2/bikes.json', '"9.80"', '"99999999999.80"'),
  'synced before added': bikes('"fitness_last_synced": "2024-01-02', '"fitness_last_synced": "2023-01-02'),
  'a file older than its records': bikes('"updated": "2025', '"updated": "2021'),
  'a day that is none': bikes('"date_added": "2024-01-01', '"date_added": "2023-02-30'),
  'a category with two names': bikes('"slug": "fixed-gear"', '"slug": "road"'),
  'half of a surrogate pair': bikes('"title": "Plain"', '"title": "Plain \\ud800"'),
  'half of a pair as a name': bikes('"title": "Plain"', '"title": "Plain", "\\udc00": 1'),
  'a value nested 600 deep': bikes('"wheels": null', `"wheels": ${'['.repeat(600)}${']'.repeat(600)}`),
  'a value nested 100,000 deep': bikes('"wheels": null', `"wheels": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  '300,000 U+FFFD before a bad byte': directory => {
    const bytes = [Buffer.from(`{"x":"${'\ufffd'.repeat(300_000)}`), Buffer.of(0xff), Buffer.from('"}')]
    writeFileSync(join(directory, 'v1/tyres.json'), Buffer.concat(bytes))
  },
  'a pipe as file': directory => {
    unlinkSync(join(directory, 'v1/tyres.json'))
    spawnSync('mkfifo', [join(directory, 'v1/tyres.json')])
  },
  'a device as file': directory => {
    unlinkSync(join(directory, 'v1/tyres.json'))
    symlinkSync('/dev/zero', join(directory, 'v1/tyres.json'))
  },
  'a folder as file': directory => {
    unlinkSync(join(directory, 'v1/tyres.json'))
    mkdirSync(join(directory, 'v1/tyres.json'))
  },
  'a pipe as picture': directory => { spawnSync('mkfifo', [join(directory, 'media/bikes/pipe.jpg')]) },
  'a link to itself': directory => {
    unlinkSync(join(directory, 'v1/tyres.json'))
    symlinkSync('tyres.json', join(directory, 'v1/tyres.json'))
  },
  'an empty file': directory => writeFileSync(join(directory, 'v1/tyres.json'), ''),
  'null as file': directory => writeFileSync(join(directory, 'v2/bikes.json'), 'null'),
  'a file in UTF-16': directory => writeFileSync(join(directory, 'v1/tyres.json'), Buffer.from('\ufeff{}', 'utf16le')),
  'a prototype as property': bikes('"title": "Plain"', '"title": "Plain", "__proto__": {"polluted": 1}')
}

/** Changes a good catalogue by class and at random: it is refused with the place of the fault, or served as the contract says. */
export async function catalogues ({ requests: count, seed, report }: Plan): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'torture-data-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const copy = (number: number) => {
    const target = join(directory, String(number))
    cpSync(valid, target, { recursive: true })
    return target
  }

  for (const [index, [name, change]] of Object.entries(classes).entries()) {
    const target = copy(index)
    change(target)
    report.tried('classes of faulty catalogues')
    const outcome = await Promise.race([load(target), passed(patience, 'no end' as const, { ref: false })])
    const complaint = outcome === 'no end' ? 'takes too long' : outcome.faults === undefined ? 'is accepted' : placeless(outcome.faults)
    if (complaint !== undefined) report.broke(`${name} ${complaint}`, '--only catalogues')
    rmSync(target, { recursive: true })
  }

  const mutations = Math.min(2000, Math.max(50, Math.ceil(count / 10)))
  let refused = 0
  for (let number = seed; number < seed + mutations; number++) {
    const target = copy(number)
    const what = mutate(target, number)
    report.tried('catalogues changed at random')
    const outcome = await load(target)
    const complaints = outcome.faults === undefined ? await serve(target) : [placeless(outcome.faults)].filter(text => text !== undefined)
    if (outcome.faults !== undefined) refused++
    for (const complaint of complaints) {
      report.broke(
        `a changed catalogue ${complaint.replace(/ at \/.*/, '')}`,
        `${complaint}: --only catalogues --requests 1 --seed ${number}: ${what}`
      )
    }
    rmSync(target, { recursive: true })
  }
  report.figure(`${refused} of ${mutations} refused, the others served as the contract says`)

  const target = copy(0)
  for (const change of [bikes('"year": 2019', '"year": "x"'), manifest('"width": 96', '"width": 97')]) change(target)
  report.tried('faulty catalogues at the command')
  await start(target, report)
  rmSync(directory, { recursive: true, force: true })
}

type Outcome = { faults: readonly string[] | undefined }

async function load (directory: string): Promise<Outcome> {
  try {
    await loadCatalogue(directory)
    return { faults: undefined }
  } catch (error) {
    if (error instanceof CatalogueFaults) return { faults: error.faults.map(faultLine) }
    return { faults: [(error as Error).stack ?? String(error)] }
  }
}

/** What is wrong with the lines that refuse a catalogue: each begins with a file, and a line and a column where it has text. */
function placeless (lines: readonly string[]): string | undefined {
  if (lines.length === 0) return 'is refused without a word'
  const inText = /^\S+\.json:\d+:\d+ \S/
  const wholeFile = /^\S+(?:\/v[12]|\/media|\.json|\.\w{3,4}) (?:is|must|cannot) /
  const wrong = lines.find(line => !inText.test(line) && !wholeFile.test(line))
  return wrong === undefined ? undefined : `is refused with ${JSON.stringify(wrong.slice(0, 300))}`
}

/** Asks a server of a changed catalogue for everything; gives what the contract does not have. */
async function serve (directory: string): Promise<string[]> {
  const catalogue = await loadCatalogue(directory)
  const app = await buildApp(catalogue, { ...defaultSettings, data: directory, logLevel: 'silent', rateLimit: false, tokens: [token] })
  const complaints: string[] = []
  const host = 'bikes.test'
  for (const resource of resources) {
    for (const query of ['', '?page=1', '?ordering=-title,-brand_name,-price,rating', '?format=api', '?search=a&price__gte=1']) {
      const { statusCode, headers, rawPayload } = await app.inject({
        url: resource.path + query,
        headers: { host, authorization: `Token ${token}` }
      })
      const answer = {
        status: statusCode,
        headers: new Map(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        body: rawPayload
      }
      const faults = faultsOf({ method: 'GET', text: '', closes: false, resource, origin: `http://${host}` }, answer)
      const fault = faults[0] ?? (statusCode === 200 ? undefined : `status ${statusCode}`)
      if (fault !== undefined) complaints.push(`is served with ${fault} at ${resource.path}${query}`)
    }
  }
  await app.close()
  return complaints
}

/** What a person sees who starts the command with a faulty catalogue. */
async function start (directory: string, report: Plan['report']): Promise<void> {
  const child = kept(spawn(process.execPath, [command, '--port', '0', '--data', directory], { stdio: ['ignore', 'ignore', 'pipe'] }))
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => { text += chunk })
  const [code] = await Promise.race([once(child, 'close'), passed(patience, ['no end'], { ref: false })]) as [unknown]
  if (code !== 1) report.broke(`a faulty catalogue ends the command with ${code}`, text.slice(0, 500))
  if (/\n\s+at /.test(text)) report.broke('a faulty catalogue makes a stack trace', text.slice(0, 500))
  if (!/bikes\.json:\d+:\d+ /.test(text) || !/manifest\.json:\d+:\d+ /.test(text)) {
    report.broke('a fault is told without its place', text.slice(0, 500))
  }
}
