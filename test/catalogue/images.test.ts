import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { loadAuthored } from '../helper.ts'
import { assertErrors, changedDirectory, errorLines, valid, type FaultCase } from './changed.ts'

const must = 'must be an image below /media/ that exists, or an http(s) URL'
const form = 'must be a path such as /media/wheels/1.jpg, or an absolute URL'
const image = '"image_url": "/media/bikes/swift.jpg"'
const featured = '"featured_image": "/media/bikes/swift.jpg"'

function refused (address: string, must: string): FaultCase {
  const json = JSON.stringify(address)
  const message = `v1/bikes.json:58:20 bikes[1].image_url (id 1) ${must}, got ${json}`
  return [address, { bikes: [[image, `"image_url": ${json}`]] }, message]
}

const missing = [
  '/media/bikes/gone.jpg', '/media/../x', '/media/bikes/../bikes/swift.jpg', '/media/bikes', '/media//bikes/swift.jpg',
  '/media/%2e.jpg', '/media/manifest.json'
]

const malformed = [
  '//evil.example/x.jpg', '/api/v1/bikes/', '/%', '/media/%', 'https://a b/x.jpg', 'http://a/%zz',
  'javascript:alert(1)', 'https:/x.jpg', 'swift.jpg'
]

const cases: readonly FaultCase[] = [
  ...missing.map(address => refused(address, must)),
  ...['http://[', 'https://a:x/'].map(address => refused(address, must)),
  ...malformed.map(address => refused(address, `${form} or null`)),
  ['an image in another field', { bikes: [[featured, '"featured_image": "/media/a.jpg"']] },
    `v1/bikes.json:66:25 bikes[1].featured_image (id 1) ${must}, got "/media/a.jpg"`],
  ['a URL elsewhere', { bikes: [[image, '"image_url": "https://img.example/a%20b.jpg?w=1#x"']] }],

  ['a file that is no image', { 'media/full/bikes/swift.webp': Buffer.from('RIFF') },
    'media/full/bikes/swift.webp must be an image in the format webp'],
  ['a file in another format', { 'media/full/bikes/swift.png': Buffer.alloc(64, 'ffd8ffe0', 'hex') },
    'media/full/bikes/swift.png must be an image in the format png'],
  ...['0000000000000000', '0000000300000000', '0000000000000003'].map((extent): FaultCase => [
    `an image of the extent ${extent}`,
    { 'media/full/bikes/swift.png': Buffer.from(`89504e470d0a1a0a0000000d49484452${extent}00000000`, 'hex') },
    'media/full/bikes/swift.png must be an image in the format png'
  ])
]

test('images that contradict the data', async t => {
  await assertErrors(t, cases)
})

test('links below media/, and a JPEG with the longer ending', async t => {
  const directory = changedDirectory(t, {})
  execFileSync('mkfifo', [join(directory, 'media/.pipe')])
  symlinkSync('swift.jpg', join(directory, 'media/bikes/same.jpeg'))
  const linked = (await loadCatalogue(directory)).images.get('/media/bikes/same.jpeg')
  t.match(linked, { format: 'jpeg', width: 96, height: 64 })

  const elsewhere = join(valid, 'media/bikes')
  const outside = 'is a link that leads nowhere or out of media/: links must stay inside it'
  for (const [name, target, message] of [
    ['outside.jpg', join(elsewhere, 'swift.jpg'), outside],
    ['nowhere.jpg', 'gone.jpg', outside],
    ['folder', elsewhere, outside],
    ['link.jpg', '../full', 'is a directory'],
    ['link.jpg', '../.pipe', /^cannot be read: ESPIPE: /]
  ] as const) {
    const link = join(directory, 'media/bikes', name)
    symlinkSync(target, link)
    t.match((await errorLines(directory)).map(line => line.replace(`media/bikes/${name} `, '')), [message], target)
    rmSync(link)
  }
})

test('images are those of the directory', async t => {
  const { images, warnings } = await loadCatalogue(valid)
  t.strictSame([...images], [
    ['/media/bikes/swift.jpg', { format: 'jpeg', width: 96, height: 64, bytes: 304 }],
    ['/media/full/bikes/swift.avif', { format: 'avif', width: 160, height: 107, bytes: 293 }],
    ['/media/full/bikes/swift.jpg', { format: 'jpeg', width: 160, height: 107, bytes: 373 }],
    ['/media/full/bikes/swift.png', { format: 'png', width: 160, height: 107, bytes: 132 }],
    ['/media/full/bikes/swift.webp', { format: 'webp', width: 160, height: 107, bytes: 108 }]
  ])
  t.strictSame(warnings, [])

  const directory = changedDirectory(t, {
    bikes: [[image, '"image_url": null'], [featured, '"featured_image": "https://img.example/1.jpg"']]
  })
  const { digest } = await loadCatalogue(directory)
  rmSync(join(directory, 'media'), { recursive: true })
  const without = await loadAuthored(directory)
  t.strictSame([without.images.size, without.bikesV2[0]?.image_formats], [0, []])
  t.not(without.digest, digest)
})

test('files that are not served', async t => {
  const directory = changedDirectory(t, {})
  mkdirSync(join(directory, 'v3'))
  const visible = ['v1/featured.json', 'v1/forks.json', 'v2/wheels.json', 'media/logo.svg']
  const silent = ['README.md', '.hidden', 'media/bikes/.hidden.jpg']
  for (const file of [...visible, ...silent]) writeFileSync(join(directory, file), '')
  const { warnings } = await loadCatalogue(directory)
  const expected = ['v3', ...visible].map(path => `${path} is not served: the contract has no such list or image`)
  t.strictSame(warnings.map(warning => warning.replace(/^.*?\/(?=(?:v\d|media)\b)/, '')), expected)
})
