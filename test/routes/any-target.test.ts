import fc from 'fast-check'
import { test, type Test } from 'tap'
import { buildApp } from '../../src/app.ts'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { readableLine } from '../../src/command/log-lines.ts'
import type { Simulation } from '../../src/simulation/control.ts'
import { defaultSettings, type Settings } from '../../src/settings/settings.ts'
import { brokenCatalogue, catalogue, readRaw, sendRaw } from '../helper.ts'

const [token, other] = ['Zq7Wxy8Vbn', 'Kj5Mnb4Gfd'] // no target contains them by chance

/** Builds a server that simulates and logs requests; `get` sends a target as it is. */
async function buildWithLines (t: Test, settings: Partial<Settings> = {}, records: Catalogue = catalogue) {
  const lines: string[] = []
  const own = { simulate: true, logRequests: true, rateLimit: false, tokens: [token, other], ...settings }
  const app = await buildApp(records, { ...defaultSettings, ...own }, { write: line => lines.push(line) })
  t.teardown(() => app.close())
  const get = async (target: string, accept = '*/*') =>
    readRaw(await sendRaw(app, `GET ${target} HTTP/1.1\r\nHost: a\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`))
  return { app, lines, get, requests: () => app.getDecorator<Simulation>('simulation').requests() }
}

const hex = (code: number) => `%${code.toString(16).padStart(2, '0')}`
const sign = fc.oneof(
  fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)), // Node's parser refuses all others
  fc.nat(0xff).map(hex),
  fc.constantFrom(
    '%', '%4', '%zz', '%ED%A0%80', '%ED%B0%80', '%F0%9F%9A%B2', '%F0%9F', '%E2%80%AE', '%C2%9B', '%E2%80%A8',
    '%0d%0a', '%1b%5b2J', '%2B', '%26', '%3d'
  )
)
const anyPiece = fc.string({ unit: sign, maxLength: 12 })

const names = ['token', 'q', '%74oken', 'user[password]']
const secret = fc.oneof(
  fc.constantFrom(...names).map(name => `${name}=${other}`),
  fc.tuple(
    anyPiece.map(piece => piece.replaceAll('%', '')),
    fc.constantFrom(token, [...token].map(letter => hex(letter.charCodeAt(0))).join(''))
  )
    .map(([name, value]) => `${name}=${value}`),
  fc.constantFrom(...['code', 'delay', 'example', 'fault', token].map(name => `__${name}=${token}`))
)
const field = fc.oneof(
  anyPiece,
  anyPiece,
  fc.constantFrom(
    'page=1', 'page=', 'format=api', 'format=json', 'ordering=-title', '__delay=0', '__code=418', '__example=empty'
  ),
  secret
)
const query = fc.oneof(
  fc.array(field, { maxLength: 8 }),
  fc.tuple(fc.nat(3_000), secret).map(([count, secret]) => [
    ...Array.from({ length: count }, (_, index) => String(index % 10)),
    secret
  ])
)
const path = fc.oneof(
  fc.constantFrom(
    '/', '/api/v1/bikes/', '/api/v1/bikes', '/api/v2/bikes/', '/api/v1/%62ikes/', '/media/bikes/1.jpg', '/docs/',
    `http://${other}:${other}@a/api/v1/bikes/`
  ),
  fc.tuple(fc.constantFrom('/', '/media/', '/api/v1/bikes/', 'http://a/media/'), anyPiece).map(parts => parts.join('')),
  fc.constantFrom(`/${token}/`, `/media/${token}.jpg`)
)
const anyQuery = fc.array(fc.oneof(anyPiece, secret), { maxLength: 8 }).map(fields => fields.join('&'))
const anyTarget = fc.tuple(path, query).map(([path, fields]) => {
  return fields.length === 0 ? path : `${path}?${fields.join('&')}`
})
  .filter(target => target.length < 15_000)

/** Undoes escapes, so that no secret hides in them. */
const decoded = (text: string) => text.replace(/%([\da-f]{2})/gi, (_, digits: string) => {
  return String.fromCharCode(Number.parseInt(digits, 16))
})
const isSecretive = (text: string) => [text, decoded(text)].some(text => text.includes(token) || text.includes(other))
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const isPrintable = (lines: string) => !lines.split('\n').some(line => unprintable.test(line))

test('property: any target gets one printable line, one record, no 5xx, and reveals no secret', async t => {
  const { app, lines, get, requests } = await buildWithLines(t)
  await fc.assert(fc.asyncProperty(anyTarget, fc.constantFrom('*/*', 'text/html'), async (target, accept) => {
    lines.length = 0
    app.getDecorator<Simulation>('simulation').reset()
    const { status, body } = await get(target, accept)
    const error = (() => {
      if (status >= 500) return `status ${status}`
      const entries = lines.filter(line => 'status' in (JSON.parse(line) as object))
      if (entries.length !== 1) return `${entries.length} lines`
      if (lines.some(line => unprintable.test(line.slice(0, -1)) || !line.endsWith('}\n'))) {
        return 'a line is not printable'
      }
      if (lines.some(line => unprintable.test(readableLine(line).slice(0, -1)))) {
        return 'a line of the terminal is not printable'
      }
      if (lines.some(isSecretive)) return 'a line has a secret'
      const [path = ''] = target.replace(/^http:\/\/[^/]*/, '').split(/[?#]/)
      const isList = /^\/api\/v[12]\/(?:b|%62)ikes\/?$/.test(path)
      const isOwnPage = isList && body.startsWith('<!DOCTYPE')
      const isRecorded = /^\/(?:api|media)\//.test(path) && !isOwnPage
      if (requests().length !== Number(isRecorded)) return `${requests().length} records`
      if (isSecretive(JSON.stringify(requests()))) return 'a record has a secret'
      if (status >= 400 && isSecretive(body)) return 'the error has a secret' // links of a list keep its parameters
      return ''
    })()
    if (error !== '') throw new Error(`${error}: ${target}\n${lines.join('')}${status >= 400 ? body : ''}`)
  }), { numRuns: 500 })
  t.pass()
})

test('property: an internal error reveals nothing and is logged, for any parameters', async t => {
  const { lines, get } = await buildWithLines(t, { simulate: false }, brokenCatalogue('broken'))
  await fc.assert(fc.asyncProperty(anyQuery, async query => {
    lines.length = 0
    const { status, body } = await get(`/api/v1/wheels/?${query}`)
    const all = lines.map(line => JSON.parse(line) as { level: number, status?: number, err?: { message: string } })
    const entries = all.filter(({ level }) => level !== 40) // of an ignored preference
    const [error, answered] = entries
    return status === 500 && body === '{"detail":"Internal server error."}' &&
      entries.length === 2 && answered?.status === 500 &&
      error?.level === 50 && error.err?.message === 'broken' && !lines.some(isSecretive) &&
      lines.every(line => [line, readableLine(line)].every(isPrintable))
  }))
  t.pass()
})
