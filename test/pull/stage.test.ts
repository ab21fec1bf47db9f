import fs, { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { createHash, randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { test, type Test } from 'tap'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { replaceExport } from '../helper.ts'
import { freeDirectory, run, serve } from './pulled.ts'

const lists = ['brakes', 'saddles', 'tyres']
const files = ['recording.json', ...lists.map(name => `v1/${name}.json`)]

/** Serves lists whose records have a generation and grow with it. */
async function serveGenerations (t: Test) {
  const service = { generation: 1 }
  const { url } = await serve(t, (_, response) => {
    const brand = `brand ${service.generation}`
    const records = Array.from({ length: service.generation }, (_, id) => ({ id, brand }))
    return !!response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(records))
  })
  return { service, url }
}

/** Returns the header of a PNG image with a height. */
function png (height: number): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000000080600000000000000', 'hex')
  header.writeUInt32BE(height, 20)
  return header
}

const contentsOf = (directory: string) => files.map(file => {
  const path = join(directory, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
})

test('a pull that is killed at any moment leaves the old recording or the new one', async t => {
  const { service, url } = await serveGenerations(t)
  const { directory, parent } = freeDirectory(t)
  const pullAgain = () => run([url, directory, '--overwrite', '--lists', lists.join()])
  t.match(await pullAgain(), { code: 0 })
  const old = contentsOf(directory)
  const moments: { copy: string, name: string }[] = []
  /** Keeps the files as they are now: what a kill at this moment leaves. */
  const keep = (name: string) => {
    const copy = join(parent, `moment ${moments.length}`)
    cpSync(directory, copy, { recursive: true })
    moments.push({ copy, name })
  }
  const { writeFile } = promises
  const { renameSync } = fs
  const flushed: unknown[] = []
  replaceExport(t, promises, 'writeFile', async (file, content, options) => {
    const half = String(content).slice(0, String(content).length / 2)
    await writeFile(file, half)
    keep('half a file')
    await writeFile(file, content, options)
    flushed.push((options as { flush?: boolean }).flush)
    keep('a file')
  })
  replaceExport(t, fs, 'renameSync', (from, to) => {
    renameSync(from, to)
    keep(`rename ${basename(to as string)}`)
  })
  service.generation = 2
  t.match(await pullAgain(), { code: 0 })
  const now = contentsOf(directory)
  t.same(flushed, files.map(() => true), 'every file is flushed before any is renamed')
  t.same(moments.map(({ name }) => name.startsWith('rename')), [
    ...files.flatMap(() => [false, false]),
    true, ...files.map(() => true)
  ])
  for (const { copy, name } of moments) {
    const contents = contentsOf(copy)
    const isWhole = [old, now].some(whole => JSON.stringify(whole) === JSON.stringify(contents))
    const isRenaming = name.startsWith('rename') && !name.includes('recording.json')
    t.equal(isWhole, !isRenaming || name.includes('.commit-'), name)
    const load = loadCatalogue(copy)
    // All renames are in one turn of the event loop, so that only the end of the machine comes between, and it shows.
    if (isRenaming) await t.rejects(load, { name: 'CatalogueErrors' }, name)
    else t.match(await load, { brakes: { length: contents[1] === old[1] ? 1 : 2 } }, name)
  }
})

test('a pull of other images that is killed at any moment is no valid recording until the end', async t => {
  let shade = 1
  const { url } = await serve(t, ({ url = '' }, response) => {
    const isImage = url.startsWith('/media/')
    const body = isImage ? png(shade) : '[{"id":1,"a":"/media/a.png","b":"/media/b.png"}]'
    return !!response.writeHead(200, { 'content-type': isImage ? 'image/png' : 'application/json' }).end(body)
  })
  const { directory, parent } = freeDirectory(t)
  const pull = () => run([url, directory, '--overwrite', '--lists', 'brakes', '--images'])
  t.match(await pull(), { code: 0 })
  const imagesIn = (folder: string) => ['a', 'b'].map(name => readFileSync(join(folder, `media/${name}.png`)))
  const about = () => readFileSync(join(directory, 'recording.json'), 'utf8')
  const before = about()
  const { renameSync } = fs
  let moments = 0
  const loads: Promise<void>[] = []
  replaceExport(t, fs, 'renameSync', (from, to) => {
    renameSync(from, to)
    const copy = join(parent, `moment ${moments++}`)
    cpSync(directory, copy, { recursive: true })
    const isLast = basename(to as string) === 'recording.json'
    const load = loadCatalogue(copy)
    loads.push(isLast ? load.then(() => {}) : t.rejects(load, { name: 'CatalogueErrors' }, String(to)).then(() => {}))
  })
  shade = 2
  t.match(await pull(), { code: 0 })
  await Promise.all(loads)
  t.equal(loads.length, 4)
  t.equal(about(), before)
  t.same(imagesIn(directory), [png(2), png(2)])
  t.match(await pull(), { code: 0 })
  t.equal(loads.length, 4, 'nothing is renamed without a change')

  writeFileSync(join(directory, 'v1/saddles.json'), '[]')
  const stderr = /data has v1\/saddles\.json, which may be of another pull: pull all lists\n$/
  t.match(await pull(), { code: 2, stderr }, 'a list that recording.json lacks')
  renameSync(join(directory, 'recording.json'), join(directory, '.commit-killed'))
  t.match(await pull(), { code: 2, stderr }, 'an interrupted pull')
})

test('the next pull removes what killed ones left, and nothing else', async t => {
  const { url } = await serveGenerations(t)
  const { directory, parent } = freeDirectory(t)
  t.match(await run([url, directory]), { code: 0 })
  const left = [
    `.pull-${randomUUID()}`, `v1/.pull-${randomUUID()}`, `media/bikes/.pull-${randomUUID()}`,
    `../data.${randomUUID()}/v1/bikes.json`
  ]
  const kept = [
    '.pull-me',
    'v1/bikes.json.bak',
    'media/bikes/a.txt',
    '../data.old/v1/bikes.json',
    `../other.${randomUUID()}/x`
  ]
  for (const name of [...left, ...kept]) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), '[]')
  }
  t.match(await run([url, directory, '--overwrite']), { code: 0 })
  for (const name of left) t.notOk(existsSync(join(directory, name)), name)
  for (const name of kept) t.ok(existsSync(join(directory, name)), name)
  t.equal(readdirSync(parent).length, 3)
})

test('recording.json has its version and the digest of every list; a list that was edited is read anew', async t => {
  const { service, url } = await serveGenerations(t)
  const { directory } = freeDirectory(t)
  t.match(await run([url, directory, '--lists', lists.join()]), { code: 0 })
  const about = () => JSON.parse(readFileSync(join(directory, 'recording.json'), 'utf8')) as {
    version: number, unfinished: string[], lists: Record<string, { digest: string }>
  }
  const [first] = Object.keys(about())
  t.equal(first, 'version')
  t.equal(about().version, 1)
  for (const name of lists) {
    const digest = createHash('sha256').update(readFileSync(join(directory, `v1/${name}.json`))).digest('hex')
    t.equal(about().lists[name]?.digest, digest.slice(0, 16), name)
  }
  writeFileSync(join(directory, 'recording.json'), JSON.stringify({ ...about(), unfinished: ['brakes'] }))
  writeFileSync(join(directory, 'v1/brakes.json'), '[{"id":7}]')
  service.generation = 2
  t.match(await run([url, directory, '--lists', lists.join()]), { code: 0, stdout: /, 2 brakes, / })
  t.same(JSON.parse(readFileSync(join(directory, 'v1/brakes.json'), 'utf8')), [
    { id: 0, brand: 'brand 2' },
    { id: 1, brand: 'brand 2' }
  ])
  t.strictSame(about().unfinished, [])
})

test('what is no file where a pull writes or deletes one is refused before anything is replaced', async t => {
  const { url } = await serveGenerations(t)
  const { directory } = freeDirectory(t)
  const pull = () => run([url, directory, '--overwrite'])
  const file = (name: string) => join(directory, name)
  t.match(await pull(), { code: 0 })
  const before = readFileSync(file('recording.json'), 'utf8')
  for (const [name, failure] of [
    ['v1/saddles.json', 'v1/saddles.json cannot be written: EISDIR'],
    ['v2/bikes.json', 'v2/bikes.json cannot be deleted: EISDIR']
  ] as const) {
    rmSync(file(name), { force: true })
    mkdirSync(file(name), { recursive: true })
    t.match(await pull(), { code: 2, stderr: `${directory}/${failure}\n` })
    rmSync(file(name), { recursive: true })
  }
  t.equal(readFileSync(file('recording.json'), 'utf8'), before)
  t.same(readdirSync(directory, { recursive: true }).filter(name => basename(String(name)).startsWith('.')), [])

  rmSync(file('v2'), { recursive: true })
  writeFileSync(file('v2'), 'a file')
  t.match(await pull(), { code: 0 })
  rmSync(file('v1'), { recursive: true })
  writeFileSync(file('v1'), 'a file')
  t.match(await pull(), { code: 2, stderr: `${directory}/v1/bikes.json cannot be written: EEXIST\n` })
  t.equal(readFileSync(file('v1'), 'utf8'), 'a file')
})

test('a pull whose temporary files another one has removed replaces nothing', async t => {
  let others = 0
  const { url } = await serve(t, async ({ url: target = '' }, response) => {
    const isImage = target.startsWith('/media/')
    if (target === '/media/b.png') {
      const { code } = await run([url, directory, '--overwrite', '--lists', 'brakes'])
      if (code === 0) others++
    }
    const body = isImage ? png(1) : '[{"id":1,"a":"/media/a.png","b":"/media/b.png"}]'
    return !!response.writeHead(200, { 'content-type': isImage ? 'image/png' : 'application/json' }).end(body)
  })
  const { directory } = freeDirectory(t)
  t.match(await run([url, directory, '--lists', 'brakes']), { code: 0 })
  const before = readFileSync(join(directory, 'recording.json'), 'utf8')
  t.match(await run([url, directory, '--overwrite', '--lists', 'brakes', '--images']), {
    code: 2, stderr: `${directory} is being written by another pull\n`
  })
  t.equal(others, 1)
  t.equal(readFileSync(join(directory, 'recording.json'), 'utf8'), before)
})

test('a file that a pull would delete may be deleted meanwhile', async t => {
  const { url } = await serveGenerations(t)
  const { directory } = freeDirectory(t)
  t.match(await run([url, directory, '--lists', 'brakes']), { code: 0 })
  const unknown = join(directory, 'v2/bikes.json')
  mkdirSync(dirname(unknown))
  writeFileSync(unknown, '[]')
  const { writeFile } = promises
  replaceExport(t, promises, 'writeFile', async (file, content, options) => {
    if (String(content).includes('"version"')) rmSync(unknown)
    await writeFile(file, content, options)
  })
  t.match(await run([url, directory, '--overwrite']), { code: 0 })
})

test('the mark of a pull that was killed goes with the next one', async t => {
  const { url } = await serveGenerations(t)
  const { directory } = freeDirectory(t)
  const pull = () => run([url, directory, '--overwrite', '--lists', lists.join()])
  t.match(await pull(), { code: 0 })
  rmSync(join(directory, 'recording.json'))
  const mark = join(directory, '.commit-killed')
  writeFileSync(mark, '')
  t.match(await pull(), { code: 0 })
  t.notOk(existsSync(mark))
})
