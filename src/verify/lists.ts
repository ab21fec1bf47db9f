import { allowedMethods } from '../http/headers.ts'
import { urlOf } from '../client/client.ts'
import type { ListKey } from '../../schemas/lists.ts'
import { resources } from '../lists/resources.ts'
import type { JsonObject } from '../base/json.ts'
import { bikes, byAccess, checkList, get, idsOf, jsonOf, listIn, named, readList, shown, statusAndBody, type ListCheck } from './read.ts'
import { judgeShape, readContract } from './records.ts'

const ofBikes = 'S24, S25, S26, S27, S28, D7, D9'
const ofMakes = 'S26, S33, D8, D9'

/** The clauses of the fields of records. */
const fieldsOf: Readonly<Record<ListKey, string>> = {
  bikes: ofBikes, featured: ofBikes, bikesV2: 'D34',
  wheels: 'S25, S26, S29, D9', tyres: 'S25, S26, S30, D9', chains: 'S25, S26, S31, D9', groupsets: 'S25, S26, S32, D9',
  brakes: ofMakes, saddles: ofMakes, handlebars: ofMakes
}

const checks: readonly ListCheck[] = [
  ['status', 'responds with 200 and a list', byAccess('S3, S5', 'S3, S4, S10'), async (probe, { access }, response) => {
    const ofV2 = access === 'token'
    const isJson = response.status === 200 && jsonOf(response) !== undefined
    const expected = ofV2 && [401, 403].includes(response.status) ? '200 for the token of --token' : '200 with an array or a page'
    // The specification does not state the form of v2.
    probe[ofV2 && isJson ? 'may' : 'must'](response, listIn(response) !== undefined, expected, statusAndBody(response))
  }],
  ['content-type', 'is application/json', 'S7', async (probe, _, response) => {
    const { 'content-type': type = 'none' } = response.headers
    probe.must(response, type === 'application/json', 'application/json without a charset', type)
  }],
  ['allow', `allows ${allowedMethods}`, 'S8', async (probe, _, response) => {
    const { allow = 'none' } = response.headers
    probe.must(response, allow === allowedMethods, `Allow: ${allowedMethods}`, allow)
  }],
  ['vary', 'varies by Accept', 'S9, D16', async (probe, _, response) => {
    const { vary = 'none' } = response.headers
    const names = vary.toLowerCase().split(',').map(name => name.trim())
    if (!probe.must(response, names.includes('accept'), 'Vary: Accept', vary)) return
    const holds = names.every(name => ['accept', 'accept-encoding'].includes(name))
    probe.may(response, holds, 'nothing but Accept and Accept-Encoding in Vary', vary)
  }],
  ['cache', 'says how long it may be cached', ({ key, maxAge, isAgeStated }) => {
    if (isAgeStated) return key === 'bikes' ? 'S20' : 'S21'
    return maxAge === null ? 'D18' : 'D17'
  }, async (probe, { maxAge }, response) => {
    const { 'cache-control': control = 'none' } = response.headers
    const wanted = maxAge === null ? 'no public caching' : `max-age=${maxAge}`
    const [, age] = /\bmax-age=(\d+)/.exec(control) ?? []
    const isSilent = control === 'none' || (maxAge !== null && age === undefined)
    if (!probe.may(response, !isSilent, `Cache-Control with ${wanted}`, control)) return
    probe.must(response, maxAge === null ? !/\bpublic\b/.test(control) : Number(age) === maxAge, wanted, shown(control))
  }],
  ['etag', 'responds with 304 to its ETag', 'F23, D19', async (probe, resource) => {
    const { response: plain } = await readList(probe, resource)
    const { etag } = plain.headers
    if (!probe.may(plain, etag !== undefined, 'an ETag', 'none') || etag === undefined) return
    const same = await get(probe, resource, '', { 'if-none-match': etag })
    const { status, body, headers: { etag: sent = 'none' } } = same
    const holds = status === 304 && body.length === 0 && sent === etag
    probe.must(same, holds, `304 without a body, ETag: ${etag}`, `${status}, ${body.length} bytes, ETag: ${sent}`)
    const other = await get(probe, resource, '', { 'if-none-match': '"another"' })
    probe.must(other, other.status === 200, '200 for another ETag', String(other.status))
  }],
  ['schema', 'gives records of the contract\'s form', ({ key }) => fieldsOf[key], judgeShape],
  ['fields', 'gives the fields in the contract\'s order', 'D8', async (probe, resource) => {
    const { response, records } = await readList(probe, resource)
    const wanted = Object.keys((await readContract(probe, resource)).properties)
    const different = records.find(record =>
      Object.keys(record).filter(field => wanted.includes(field)).join() !== wanted.filter(field => field in record).join())
    if (different) probe.must(response, false, wanted.join(', '), `${Object.keys(different).join(', ')} in ${named(different)}`, different)
  }],
  ['images', 'gives absolute image URLs that can be fetched', byAccess('D12', 'S25, D12'), async (probe, resource) => {
    const { response, records } = await readList(probe, resource)
    const images = records.flatMap(record => ['image_url', 'images', 'featured_image']
      .map(name => ({ record, name, link: record[name], url: urlOf(record[name]) })))
    const bad = images.find(({ link, url }) => typeof link === 'string' && !url?.protocol.startsWith('http'))
    if (bad) probe.must(response, false, 'absolute http(s) URLs', `${bad.name} ${shown(bad.link)} in ${named(bad.record)}`, bad.record)
    const own = images.find(({ url }) => url?.origin === probe.base.origin)
    if (own?.url === undefined) return
    const image = await probe.send({ method: 'GET', target: own.url.pathname + own.url.search, headers: {} })
    const { 'content-type': type = 'no type' } = image.headers
    probe.may(image, image.status === 200 && type.startsWith('image/'), '200 and an image', `${image.status}, ${type}`, own.record)
  }],
  ['head', 'responds to HEAD as to GET, without a body', 'F6', async (probe, resource, whole) => {
    const response = await probe.request(resource.path, whole.request.headers, 'HEAD')
    probe.must(response, response.status === whole.status, `${whole.status} as for GET`, String(response.status))
    probe.must(response, response.body.length === 0, 'no body', `${response.body.length} bytes`)
    for (const name of ['content-type', 'allow', 'vary', 'content-length', 'etag'] as const) {
      const [own = 'none', wanted = 'none'] = [response.headers[name], whole.headers[name]]
      const isLeftOut = own === 'none' && ['content-length', 'etag'].includes(name) // RFC 9110, 9.3.2: headers that need the body
      if (!isLeftOut) probe.must(response, own === wanted, `${name}: ${wanted} as for GET`, own)
      else if (name === 'etag') probe.may(response, wanted === 'none', 'the ETag of GET', own)
    }
  }],
  ['options', 'responds to OPTIONS with its metadata', 'F7, D13', async (probe, resource, { request }) => {
    const response = await probe.request(resource.path, request.headers, 'OPTIONS')
    const value = jsonOf(response) as JsonObject | null | undefined
    const holds = response.status === 200 && ['renders', 'parses'].every(name => Array.isArray(value?.[name]))
    if (!probe.must(response, holds, '200 with name, description, renders and parses', statusAndBody(response))) return
    probe.may(response, value?.['name'] === resource.name, `the name ${shown(resource.name)}`, shown(value?.['name']))
  }],
  ['redirect', 'is where the path without its slash redirects to', 'F10', async (probe, resource) => {
    const response = await probe.request(`${resource.path.slice(0, -1)}?a=1`)
    const { location = 'none' } = response.headers
    const url = urlOf(location, probe.base)
    const path = probe.pathOf(resource.path)
    const holds = response.status === 301 && url?.pathname === path && url.search === '?a=1'
    const judge = response.status === 404 ? 'may' : 'must' // as without Django's CommonMiddleware
    probe[judge](response, holds, `301 to ${path}?a=1`, `${response.status}, Location: ${location}`)
  }],
  ['post', 'refuses POST with 405', 'F8', async (probe, resource) => {
    const needsToken = resource.access === 'token'
    const response = await probe.request(resource.path, { ...needsToken && probe.credentials, 'content-length': '0' }, 'POST')
    const isRefused = response.status === 405 || (needsToken && probe.token === undefined && response.status === 401)
    probe.must(response, isRefused, '405', String(response.status))
    probe.must(response, response.headers.allow === allowedMethods, `Allow: ${allowedMethods}`, response.headers.allow ?? 'none')
  }, 'probe-writes']
]

const featuredOnly: ListCheck = ['chosen', 'has the bikes whose is_featured is true', 'S11', async (probe, resource) => {
  const { response, records } = await readList(probe, resource)
  const other = records.find(record => record['is_featured'] !== true)
  probe.must(response, other === undefined, 'is_featured true', `${shown(other?.['is_featured'])} in ${named(other ?? {})}`, other)
  const ids = new Set(idsOf(records))
  const missing = (await readList(probe, bikes)).records.find(bike => bike['is_featured'] === true && !ids.has(shown(bike['id'])))
  probe.may(response, missing === undefined, 'every bike whose is_featured is true', `not ${named(missing ?? {})}`, missing)
}]

export const listChecks = resources.flatMap(resource =>
  [...checks, ...resource.key === 'featured' ? [featuredOnly] : []].map(check => checkList(resource, ...check)))
