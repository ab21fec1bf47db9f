import { urlOf, type HttpResponse } from '../client/client.ts'
import { allowedMethods } from '../http/headers.ts'
import { formats } from '../http/negotiation.ts'
import { isPlainObject } from '../base/json.ts'
import { resources } from '../lists/resources.ts'
import { Untried } from './check.ts'
import {
  bikes, byAccess, checkList, get, idsOf, invalidByteOf, jsonOf, judged, listIn, named, readList, readPages, shown, statusAndBody,
  type ListCheck
} from './read.ts'
import { judgeEach, recordChecks } from './records.ts'

/** Returns a check of every 200 response of a list: plain, ordered and paged. */
const inEachForm = (expected: string, gotOf: (response: HttpResponse) => string | undefined): ListCheck[3] => async (probe, resource) => {
  const [field = 'nonsense'] = resource.sortable
  for (const query of ['', `?ordering=${field}`, `?ordering=-${field}`, '?page=1']) {
    const response = await get(probe, resource, query)
    const list = listIn(response)
    const pages = list === undefined ? [response] : (await readPages(probe, resource, list)).map(({ response }) => response)
    const wrong = pages.find(page => page.status === 200 && gotOf(page) !== undefined)
    if (wrong !== undefined && !probe.expect(wrong, false, expected, String(gotOf(wrong)))) return
  }
}

const header = (name: 'allow' | 'content-type' | 'vary', expected: string, isRight: (value: string) => boolean) =>
  inEachForm(expected, ({ headers: { [name]: value = 'none' } }) => isRight(value) ? undefined : value)

/** Returns the names in a comma-separated header, in lower case and sorted, for comparison. */
const namesIn = (list: string) => list.toLowerCase().split(',').map(name => name.trim()).sort()

function cachingOf ({ headers: { 'cache-control': control = 'none' } }: HttpResponse): [control: string, age: number | undefined] {
  const [, age] = /\bmax-age="?(\d+)/i.exec(control) ?? []
  return [control, age === undefined ? undefined : Number(age)]
}

/** Properties that only DRF's metadata has. */
const metadata = ['renders', 'parses']

const checks: readonly ListCheck[] = [
  ['status', 'responds with 200 and a list', byAccess('S5', 'S3, S4'), async (probe, { access }, response) => {
    const isRefused = access === 'token' && [401, 403].includes(response.status)
    const holds = access === 'token' ? response.status === 200 && jsonOf(response) !== undefined : listIn(response) !== undefined
    probe.expect(response, holds, isRefused ? '200 for the token of --token' : '200 with an array or a page', statusAndBody(response))
  }],
  ['utf-8', 'is encoded as UTF-8', 'S7', inEachForm('UTF-8, as JSON is (RFC 8259, 8.1)', invalidByteOf)],
  ['content-type', 'is application/json', 'S7',
    header('content-type', 'application/json without a charset', type => type.toLowerCase() === formats.json)],
  ['allow', `allows ${allowedMethods}`, 'S8',
    header('allow', `Allow: ${allowedMethods}`, allow => namesIn(allow).join() === namesIn(allowedMethods).join())],
  ['vary', 'varies by Accept', 'S9', header('vary', 'Vary: Accept', vary => namesIn(vary).includes('accept'))],
  ['vary/others', 'varies by nothing else', 'D16', header('vary', 'nothing but Accept and Accept-Encoding in Vary', vary =>
    namesIn(vary).every(name => ['none', 'accept', 'accept-encoding'].includes(name)))],
  ['cache', 'says how long it may be cached', byAccess('D18', 'D17'), async (probe, { maxAge, isAgeStated }, response) => {
    const [control, age] = cachingOf(response)
    const holds = maxAge === null ? control !== 'none' && !/\bpublic\b/.test(control) : age === maxAge || (isAgeStated && age !== undefined)
    probe.expect(response, holds, `Cache-Control ${maxAge === null ? 'without public' : `with max-age=${maxAge}`}`, control)
  }],
  ['head', 'responds to HEAD as to GET, without a body', 'F6', async (probe, resource, whole) => {
    const response = await probe.request(resource.path, whole.request.headers, 'HEAD')
    probe.expect(response, response.status === whole.status, `${whole.status} as for GET`, String(response.status))
    probe.expect(response, response.body.length === 0, 'no body', `${response.body.length} bytes`)
    for (const name of ['content-type', 'allow', 'vary', 'content-length', 'etag'] as const) {
      const [own = 'none', wanted = 'none'] = [response.headers[name], whole.headers[name]]
      const isLeftOut = own === 'none' && ['content-length', 'etag'].includes(name) // RFC 9110, 9.3.2: headers that need the body
      probe.expect(response, own === wanted || isLeftOut, `${name}: ${wanted} as for GET`, own)
    }
  }, { compares: true }],
  ['etag', 'responds with 304 to its ETag', 'F23, D19', async (probe, resource, plain) => {
    const revalidate = (tag: string) => get(probe, resource, '', { 'if-none-match': tag })
    const { etag } = plain.headers
    if (!probe.expect(plain, etag !== undefined, 'an ETag', 'none') || etag === undefined) return
    let same = await revalidate(etag)
    const { etag: changed = etag } = same.headers
    if (same.status === 200 && changed !== etag) same = await revalidate(changed)
    const { status, body, headers: { etag: sent = 'none' } } = same
    if (status === 200 && ![etag, changed, 'none'].includes(sent)) throw new Untried('needs an ETag that stays the same')
    const holds = status === 304 && body.length === 0 && sent === changed
    probe.expect(same, holds, `304 without a body, ETag: ${changed}`, `${status}, ${body.length} bytes, ETag: ${sent}`)
    const other = await revalidate('"another"')
    probe.expect(other, other.status === 200, '200 for another ETag', String(other.status))
  }],
  ['images', 'gives image URLs that can be fetched', 'D12', async (probe, resource) => {
    const { records } = await readList(probe, resource)
    for (const record of records) {
      const url = ['image_url', 'images', 'featured_image'].map(name => urlOf(record[name])).find(url => url?.origin === probe.base.origin)
      if (url === undefined) continue
      const image = await probe.send({ method: 'GET', target: url.pathname + url.search, headers: {} })
      const { 'content-type': type = 'no type' } = image.headers
      probe.expect(image, image.status === 200 && type.startsWith('image/'), '200 and an image', `${image.status}, ${type}`, record)
      return
    }
  }],
  ['format-api', 'is a browsable page with ?format=api', byAccess('F3', 'S12'), judged('200, text/html', response => {
    const { status, headers: { 'content-type': type = 'none' }, body: { length } } = response
    return status === 200 && type.startsWith('text/html') && length > 0 ? undefined : `${status}, ${type}, ${length} bytes`
  }, '?format=api')],
  ['options', 'responds to OPTIONS with its metadata', 'F7', judged('200 with name, description, renders and parses', response => {
    const [value, { status }] = [jsonOf(response), response]
    if (Array.isArray(value)) return `${status} with a list`
    if (!isPlainObject(value)) return statusAndBody(response)
    return status === 200 && metadata.every(name => name in value) ? undefined : `${status} with ${Object.keys(value).join(', ')}`
  }, '', {}, 'OPTIONS')],
  ['options/name', 'has its name in the metadata', 'D13', judged(({ name }) => shown(name), (response, { name }) => {
    const value = jsonOf(response)
    if (!isPlainObject(value) || !metadata.every(name => name in value)) throw new Untried('needs metadata in response to OPTIONS')
    return [name, undefined].includes(value['name'] as string) ? undefined : shown(value['name'])
  }, '', {}, 'OPTIONS')],
  ['redirect', 'is where the path without its slash redirects to', 'F10', async (probe, resource) => {
    const response = await probe.request(`${resource.path.slice(0, -1)}?a=1`)
    const { location = 'none' } = response.headers
    const url = urlOf(location, probe.base)
    const path = probe.pathOf(resource.path)
    const holds = response.status === 301 && url?.pathname === path && url.search === '?a=1'
    probe.expect(response, holds, `301 to ${path}?a=1`, `${response.status}, Location: ${location}`)
  }],
  ['read-only', 'responds to POST with an error', 'S2', judged('an error', response =>
    response.status < 300 ? statusAndBody(response) : undefined, '', { 'content-length': '0' }, 'POST'), { needs: 'probe-writes' }],
  ['post', 'rejects POST with 405', 'F8', judged(`405 (or 401 for a token), Allow: ${allowedMethods}`, (response, { access }) => {
    const { status, headers: { allow = 'none' } } = response
    const isRefused = status === 405 || (access === 'token' && status === 401)
    return isRefused && allow === allowedMethods ? undefined : `${status}, Allow: ${allow}`
  }, '', { 'content-length': '0' }, 'POST'), { needs: 'probe-writes' }]
]

const ageCheck: ListCheck = ['cache/age', 'is cached as long as stated', ({ key }) => key === 'bikes' ? 'S20' : 'S21', judged(
  ({ maxAge }) => `max-age=${maxAge}`, (response, { maxAge }) => {
    const [control, age = maxAge] = cachingOf(response)
    return age === maxAge ? undefined : control
  })]

const featuredChecks: readonly ListCheck[] = [
  ['chosen', 'has bikes whose is_featured is true', 'S11', judgeEach('is_featured true',
    record => ![true, undefined].includes(record['is_featured'] as boolean), record => shown(record['is_featured']))],
  ['all', 'has every bike whose is_featured is true', 'D51', async (probe, resource) => {
    const { response, records } = await readList(probe, resource)
    const ids = idsOf(records)
    const missing = (await readList(probe, bikes)).records.find(bike => bike['is_featured'] === true && !ids.includes(shown(bike['id'])))
    if (missing) probe.expect(response, false, 'every bike whose is_featured is true', `not ${named(missing)}`, missing)
  }, { compares: true }]
]

export const listChecks = resources.flatMap(resource => [
  ...checks, ...resource.isAgeStated ? [ageCheck] : [], ...recordChecks(resource), ...resource.key === 'featured' ? featuredChecks : []
].map(check => checkList(resource, ...check)))
