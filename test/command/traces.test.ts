import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { traceSources } from '../../src/command/traces.ts'

const fails = 'export function fail () { throw new RangeError("too far") }\n'

test('a stack names places in the sources, where there is a map', async t => {
  const folder = t.testdir({
    dist: {
      'mapped.js': fails,
      'mapped.js.map': JSON.stringify({ version: 3, sources: ['../src/fail.ts'], names: [], mappings: 'AAQA' }),
      'unmapped.js': fails
    }
  })
  t.teardown(() => Reflect.deleteProperty(Error, 'prepareStackTrace'))
  traceSources()
  const url = (file: string) => pathToFileURL(join(folder, file)).href
  for (const [file, place] of [['mapped.js', `${url('src/fail.ts')}:9:1`], ['unmapped.js', `${url('dist/unmapped.js')}:1:33`]] as const) {
    const { fail } = await import(url(`dist/${file}`)) as { fail: () => void }
    for (const time of ['first', 'second']) {
      try {
        fail()
      } catch (error) {
        t.strictSame(String((error as Error).stack).split('\n').slice(0, 2), ['RangeError: too far', `    at fail (${place})`], `${file}, the ${time} time`)
      }
    }
  }
})
