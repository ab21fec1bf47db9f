import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { run as diff } from '../../src/diff/command.ts'
import { outputOf } from '../run-script.ts'
import { pullFrom, run, serve, serveData } from './pulled.ts'

const flags = ['--lists', 'saddles', '--rate', '999']

/** Compares recordings or services, and returns the output. */
const compare = (...args: string[]) => outputOf(async (args, { stdout, stderr }) => {
  return await diff(args, { stdout, stderr, signal: new AbortController().signal }, { wait: async () => {} })
}, ...args, ...flags)

test('a record that differs between responses is kept as each was sent, and named', async t => {
  let other = 'Other'
  const { url } = await serve(t, ({ url: target = '', headers: { host } }, response) => {
    const { searchParams } = new URL(target, 'http://localhost')
    const page = Number(searchParams.get('page') ?? 0)
    const records = Array.from({ length: 7 }, (_, id) => {
      const brand = id === 6 && page === 2 ? other : `Aspide ${id}`
      return { id, brand, image_url: `http://${host}/media/${id}.jpg`, more: { model: 'ö' } }
    })
    if (page > 2) return false
    const results = page === 0 ? records : records.slice(5 * page - 5, 5 * page)
    const next = page === 1 ? '?page=2' : null
    const body = page === 0 ? records : { count: 7, next, previous: null, results }
    const json = { 'content-type': 'application/json' }
    return !!response.writeHead(200, json).end(JSON.stringify(body, null, 2))
  })
  const { code, stderr, directory } = await pullFrom(t, url, flags)
  t.equal(code, 0)
  t.match(stderr, `${url}/api/v1/saddles/ sends record 6 differently, as in ?page=2; each is recorded as it was sent\n`)
  const { app } = await serveData(t, directory)
  for (const query of ['', '?page=1', '?page=2', '?ordering=-brand']) {
    const target = `/api/v1/saddles/${query}`
    const theirs = await fetch(url + target)
    const ours = await app.inject({ url: target, headers: { host: new URL(url).host } })
    t.equal(ours.body, await theirs.text(), query)
  }
  t.match((await app.inject('/api/v1/saddles/?page=2&format=api')).body, 'Aspide 5')
  t.match(await compare(directory, url), { code: 0, stdout: 'no differences\n' })
  other = 'Another'
  t.match(await compare(directory, url), {
    code: 1, stdout: 'saddles ?page=2: 6.brand "Other" → "Another" (and 1 more)\n1 difference\n'
  })
})

test('many records that differ are counted', async t => {
  let count = 0
  const { url } = await serve(t, (_, response) => {
    count++
    const records = Array.from({ length: 5 }, (_, id) => ({ id, ...count > 1 && { view_count: count } }))
    return !!response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(records))
  })
  const { stderr } = await pullFrom(t, url, flags)
  t.match(stderr, ' sends records 0, 1, 2 and 2 more differently, as in ?page=1; ')
})

test('Expires is recorded as a distance from Date, and replayed so', async t => {
  let now = Date.parse('2026-11-29T10:00:00Z')
  const day = 86_400_000
  let isStale = false
  const { url } = await serve(t, ({ url: target = '', method }, response) => {
    const expires: Record<string, string> = {
      '': '600', '?page=1': '590', '?page_size=2': '-5'
    }
    const { search } = new URL(target, 'http://localhost')
    const text = expires[search] ?? 'Thu, 31 Dec 2037 23:55:55 GMT'
    const isDistance = !text.includes(' ')
    const seconds = Number(text) - (method === 'HEAD' ? 9 : 0)
    const headers = {
      'content-type': 'application/json',
      date: new Date(now).toUTCString(),
      expires: isDistance ? new Date(now + seconds * 1000).toUTCString() : text,
      'cache-control': isStale ? 'no-cache' : 'max-age=600'
    }
    return !!response.writeHead(200, headers).end('[{"id":1,"brand":"A"}]')
  })
  const { directory } = await pullFrom(t, url, flags)
  const read = () => readFileSync(join(directory, 'recording.json'), 'utf8')
  const before = read()
  now += day
  t.match(await run([url, directory, '--overwrite', ...flags]), { code: 0 })
  t.equal(read(), before, 'a day later')
  t.match(await compare(directory, url), { code: 0 })

  const { app } = await serveData(t, directory)
  const expiresOf = async (query: string, headers = {}) => {
    const url = `/api/v1/saddles/${query}`
    const { statusCode, headers: { expires, date, etag } } = await app.inject({ url, headers })
    return { statusCode, expires, etag, seconds: (Date.parse(String(expires)) - Date.parse(String(date))) / 1000 }
  }
  const whole = await expiresOf('')
  t.ok(Math.abs(whole.seconds - 600) <= 1, `${whole.seconds} s`)
  const known = await expiresOf('', { 'if-none-match': whole.etag })
  t.same([known.statusCode, Math.abs(known.seconds - 600) <= 1], [304, true])
  t.ok(Math.abs((await expiresOf('?page_size=2')).seconds + 5) <= 1)
  t.match(await expiresOf('?page_size=1000'), { expires: 'Thu, 31 Dec 2037 23:55:55 GMT' })

  isStale = true
  t.match(await run([url, directory, '--overwrite', ...flags]), { code: 0 })
  t.match(read(), /"page=1":\{"headers":\{"expires":"590 s after Date"\}/, 'without max-age')
})
