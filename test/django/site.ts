import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import type { ListKey } from '../../schemas/lists.ts'
import { resources } from '../../src/lists/resources.ts'
import { dataDirectory } from '../../src/package.ts'
import { folder as outside } from '../deploy/machines.ts'
import { build } from '../helper.ts'
import { token } from '../pull/pulled.ts'

export type Records = Record<string, unknown>[]
export type Lists = Record<ListKey, Records>

/** What a site chooses where the specification leaves it open. */
export type Choices = {
  /** Changes the lists of the built-in data; images are paths. */
  change?: (lists: Lists) => Partial<Lists>
  pageSize?: number // lists are arrays without it
  pageSizeV2?: number
  offsets?: true // pages have an offset and a limit in place of numbers
  relative?: true // the addresses of images are paths
  base?: string // the path before `/api/`
  maxAge?: number // the seconds of Cache-Control
  wire?: Wire
}

/** What a site sends in another way: all of it reaches the service as JSON. */
type Wire = {
  numbers?: true // floats, small ones, and ids that JavaScript rounds
  rest?: Record<string, unknown> // the settings of the framework
  /** The pages of single lists, by their files. */
  pages?: Record<string, readonly [size: number, kind?: 'number' | 'meta' | 'cursor' | 'data']>
  sorts?: Record<string, readonly string[]> // the fields that a list sorts by
  vary?: readonly string[]
  language?: string
  forbidden?: true // 403 in place of 401
}

/** Says why no site can be started; false where one can. */
export const skip = spawnSync('/usr/bin/python3', ['-c', 'import gunicorn, rest_framework']).status !== 0 &&
  'needs gunicorn and python3-djangorestframework'

const sell = (records: Records): Records =>
  records.map((record, index) => index % 3 > 0 ? record : { ...record, status: 'sold', year: 1850 })
const reorder = (key: string) =>
  (records: Records) => [...records].sort((a, b) => String(a[key]) < String(b[key]) ? 1 : -1)
const rename = (lists: Lists, name: string) =>
  JSON.parse(JSON.stringify(lists).replace(/"fitness(?=_|":)/g, `"${name}`)) as Lists
const odd = '"/media/" 🚲\u202e\u0000\u2028</script>\r\n'

/** Sites that serve the lists of the specification, each with other choices. */
export const sites: Readonly<Record<string, Choices>> = {
  'another name of the fitness fields': { change: lists => rename(lists, 'pedalo') },
  'pages of 7, newest first, below a path, version 2.1 as an array': {
    pageSize: 7,
    base: '/shop',
    change: ({ bikes, bikesV2 }) => ({ bikes: reorder('date_added')(bikes), bikesV2: reorder('date_added')(bikesV2) })
  },
  'more fields, another status, a year before 1900, similar bikes that are not published': {
    change: ({ bikes, bikesV2, saddles }) => ({
      bikes: sell(bikes).map(bike => ({ ...bike, similar_bikes: [90_001, 90_002] })),
      bikesV2: sell(bikesV2),
      saddles: saddles.map(saddle => ({
        ...saddle,
        rails: { material: 'Titanium', widths: [143, 155.5] },
        image: '/media/saddles/1.jpg'
      }))
    })
  },
  'rating, weight and reviews in version 1, numbers as text, version 2.1 like it in pages': {
    pageSizeV2: 20,
    change: ({ bikesV2, wheels }) => {
      const details = [
        'price', 'components', 'related', 'usage', 'rating_distribution', 'image_formats', 'specifications'
      ]
      const bikes = bikesV2.map(bike => {
        const others = Object.entries(bike).filter(([name]) => !details.includes(name))
        const views = `${String(bike['view_count'])}.0`
        return { ...Object.fromEntries(others), year: String(bike['year']), view_count: views }
      })
      return {
        bikes,
        bikesV2: bikes,
        wheels: wheels.map(wheel => ({ ...wheel, weight_grams: String(wheel['weight_grams']) }))
      }
    }
  },
  'any letters, and pages that hold everything': {
    pageSize: 60,
    pageSizeV2: 60,
    maxAge: 60,
    change: ({ bikes, chains }) => ({
      bikes: bikes.map(bike => ({
        ...bike,
        title: `${String(bike['title'])} ${odd}`,
        slug: `vélo-${String(bike['id'])}`,
        [odd]: odd
      })),
      chains: chains.map(chain => ({ ...chain, colour: odd, ['__proto__']: { 10: 1, 9: [] } }))
    })
  },
  'pages by offset': { pageSize: 8, pageSizeV2: 8, offsets: true },
  'bikes in pages of 12, other lists as arrays, floats, snowflake ids, escapes and spaces': {
    wire: {
      numbers: true, rest: { UNICODE_JSON: false, COMPACT_JSON: false }, pages: { 'v1/bikes': [12] },
      sorts: { 'v1/featured': ['title'], 'v1/saddles': ['brand'], 'v2/bikes': ['title', 'rating'] }
    }
  },
  'pages of other forms, Vary, German texts, 403': {
    maxAge: 7,
    wire: {
      pages: {
        'v1/bikes': [5, 'meta'],
        'v1/wheels': [50, 'meta'],
        'v1/tyres': [4, 'cursor'],
        'v1/chains': [1000],
        'v2/bikes': [5, 'data']
      },
      vary: ['Cookie'], language: 'de', forbidden: true
    }
  },
  'fields that are null or absent, records of another order, empty lists, addresses without an origin': {
    pageSize: 1,
    relative: true,
    change: ({ bikes, wheels, bikesV2 }) => ({
      bikes: bikes.slice(-5).map(({ meta_keywords: absent, ...bike }, index) => index % 2 === 0
        ? bike
        : {
            ...bike,
            category: null,
            title: null,
            similar_bikes: null
          }),
      bikesV2: bikesV2.slice(-5),
      featured: [],
      handlebars: [],
      wheels: wheels.slice(0, 3).map(wheel => Object.fromEntries(Object.entries(wheel).reverse())),
      tyres: []
    })
  }
}

/** Returns the lists of the built-in data as they are served, with paths of images. */
async function ownLists (t: Test): Promise<Lists> {
  const app = await build(t, { tokens: [token] })
  const entries = await Promise.all(resources.map(async ({ key, path }) => {
    const { body } = await app.inject({ url: path, headers: { host: 'own', authorization: `Token ${token}` } })
    return [key, JSON.parse(body.replaceAll('"http://own/media/', '"/media/'))]
  }))
  return Object.fromEntries(entries) as Lists
}

/** Starts a site until the end of the test; returns its base address. */
export async function startSite (
  t: Test, { change, pageSize, pageSizeV2, base = '', maxAge, offsets, relative, wire = {} }: Choices = {}
) {
  const folder = outside(t) // a second t.testdir() would delete the first
  const own = await ownLists(t)
  const lists = { ...own, ...change?.(own) }
  for (const { key } of resources) {
    const file = join(folder, key === 'bikesV2' ? 'v2/bikes.json' : `v1/${key}.json`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(lists[key].slice(0, 13))) // two pages at most: enough for every check
  }
  const choices = {
    PAGE_SIZE: pageSize ?? '',
    V2_PAGE_SIZE: pageSizeV2 ?? '',
    OFFSETS: offsets ?? '',
    RELATIVE: relative ?? '',
    BASE: base,
    MAX_AGE: maxAge ?? 0,
    WIRE: JSON.stringify(wire)
  }
  const variables = Object.entries({
    ...choices,
    LISTS: folder,
    MEDIA: join(dataDirectory, 'media'),
    TOKEN: token,
    PYTHONDONTWRITEBYTECODE: 1
  })
  const env = Object.fromEntries(variables.map(([name, value]) => [name, String(value)]))
  const child = spawn(
    '/usr/bin/python3',
    [
      '-m', 'gunicorn', '--bind=127.0.0.1:0', '--threads=4', '--keep-alive=60', '--chdir=test/django',
      'service:application'
    ],
    { env }
  )
  t.teardown(() => child.kill('SIGINT'))
  let said = ''
  for await (const line of createInterface(child.stderr)) {
    said += `${line}\n`
    const [, url] = /Listening at: (\S+)/.exec(line) ?? []
    if (url !== undefined) return url + base
  }
  throw new Error(said)
}
