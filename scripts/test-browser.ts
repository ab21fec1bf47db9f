import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// Runs the tests in test/browser with the Chromium in CHROMIUM, or the first of these names on the path.
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/snap/bin', '/opt/google/chrome']
const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const places = [...names.flatMap(name => folders.map(folder => join(folder, name))), chrome]

const { CHROMIUM: named } = process.env
const chromium = named ?? places.find(place => existsSync(place))

if (chromium === undefined || !existsSync(chromium)) {
  const reason = named === undefined ? 'No Chromium was found.' : `CHROMIUM names ${named}, which does not exist.`
  console.error(`${reason} Install one (apt-get install chromium) or set CHROMIUM to its path.`)
  process.exitCode = 1
} else {
  const folder = 'test/browser'
  const given = process.argv.slice(2)
  const all = readdirSync(folder).filter(file => file.endsWith('.browser.ts'))
  const files = given.length > 0 ? given : all.map(file => join(folder, file))
  const { status } = spawnSync('tap', ['--disable-coverage', '--timeout=600', '--jobs=2', ...files], {
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM: chromium, PATH: `node_modules/.bin${delimiter}${process.env['PATH']}` }
  })
  process.exitCode = status ?? 1
}
