import { allowedMethods } from '../http/headers.ts'
import { urlOf, type JsonObject } from '../http/client.ts'
import { resources } from '../lists/resources.ts'
import { checkList, get, isEnvelope, jsonOf, named, readList, shown, statusAndBody, type ListCheck } from './read.ts'
import { judgeShape } from './shape.ts'

const endpoints = 'specification, "Endpoints"'
const fieldTables = 'specification, "Resources and their fields"'
const methods = 'reference, "Methods and OPTIONS"'

const checks: readonly ListCheck[] = [
  ['status', 'responds with 200 and a list', endpoints, async (probe, resource) => {
    const response = await get(probe, resource)
    const value = response.status === 200 ? jsonOf(response) : undefined
    probe.must(response, Array.isArray(value) || isEnvelope(value), '200 with an array or a page', statusAndBody(response))
  }],
  ['content-type', 'is application/json', endpoints, async (probe, resource) => {
    const response = await get(probe, resource)
    const { 'content-type': type = 'none' } = response.headers
    probe.must(response, type === 'application/json', 'application/json without a charset', type)
  }],
  ['allow', `allows ${allowedMethods}`, endpoints, async (probe, resource) => {
    const response = await get(probe, resource)
    const { allow = 'none' } = response.headers
    probe.must(response, allow === allowedMethods, `Allow: ${allowedMethods}`, allow)
  }],
  ['vary', 'varies by Accept', endpoints, async (probe, resource) => {
    const response = await get(probe, resource)
    const { vary = 'none' } = response.headers
    const names = vary.toLowerCase().split(',').map(name => name.trim())
    if (!probe.must(response, names.includes('accept'), 'Vary: Accept', vary)) return
    const holds = names.every(name => ['accept', 'accept-encoding'].includes(name))
    probe.may(response, holds, 'nothing but Accept and Accept-Encoding in Vary', vary)
  }],
  ['cache', 'says how long it may be cached', 'specification, "Limits"', async (probe, resource) => {
    const response = await get(probe, resource)
    const { 'cache-control': control = 'none' } = response.headers
    const { maxAge, isAgeStated } = resource
    const wanted = maxAge === null ? 'no public caching' : `max-age=${maxAge}`
    if (!probe.may(response, control !== 'none', `Cache-Control with ${wanted}`, control)) return
    const holds = maxAge === null ? !/\bpublic\b/.test(control) : new RegExp(`\\bmax-age=${maxAge}\\b`).test(control)
    probe[maxAge === null || isAgeStated ? 'must' : 'may'](response, holds, wanted, shown(control))
  }],
  ['etag', 'responds with 304 to its ETag', 'RFC 9110, 13.1.2', async (probe, resource) => {
    const { response: plain } = await readList(probe, resource)
    const { etag } = plain.headers
    if (!probe.may(plain, etag !== undefined, 'an ETag', 'none') || etag === undefined) return
    const same = await get(probe, resource, '', { 'if-none-match': etag })
    const holds = same.status === 304 && same.body.length === 0 && same.headers.etag === etag
    probe.must(same, holds, `304 without a body, ETag: ${etag}`, `${same.status}, ${same.body.length} bytes, ETag: ${same.headers.etag}`)
    const other = await get(probe, resource, '', { 'if-none-match': '"another"' })
    probe.must(other, other.status === 200, '200 for another ETag', String(other.status))
  }],
  ['schema', 'gives records of the contract\'s form', fieldTables, async (probe, resource) => {
    judgeShape(probe, resource, await readList(probe, resource))
  }],
  ['fields', 'gives the fields in the contract\'s order', fieldTables, async (probe, resource) => {
    const { response, records } = await readList(probe, resource)
    const wanted = Object.keys(resource.record.properties)
    const isOrdered = (record: JsonObject) =>
      Object.keys(record).filter(field => wanted.includes(field)).join() === wanted.filter(field => field in record).join()
    const different = records.find(record => !isOrdered(record))
    if (different === undefined) return
    probe.must(response, false, wanted.join(', '), `${Object.keys(different).join(', ')} in ${named(different)}`, different)
  }],
  ['pictures', 'gives absolute picture URLs that can be fetched', fieldTables, async (probe, resource) => {
    const { response, records } = await readList(probe, resource)
    const pictures = records.flatMap(record => ['image_url', 'images', 'featured_image']
      .map(name => ({ record, name, link: record[name], url: urlOf(record[name]) })))
    const bad = pictures.find(({ link, url }) => typeof link === 'string' && !url?.protocol.startsWith('http'))
    if (bad) probe.must(response, false, 'absolute http(s) URLs', `${bad.name} ${shown(bad.link)} in ${named(bad.record)}`, bad.record)
    const own = pictures.find(({ url }) => url?.origin === probe.subject.base.origin)
    if (own?.url === undefined) return
    const picture = await probe.subject.send({ method: 'GET', target: own.url.pathname + own.url.search, headers: {} })
    const { 'content-type': type = 'no type' } = picture.headers
    probe.must(picture, picture.status === 200 && type.startsWith('image/'), '200 and a picture', `${picture.status}, ${type}`, own.record)
  }],
  ['head', 'responds to HEAD as to GET, without a body', methods, async (probe, resource) => {
    const whole = await get(probe, resource)
    const response = await probe.request(resource.path, whole.request.headers, 'HEAD')
    probe.must(response, response.status === whole.status, `${whole.status} as for GET`, String(response.status))
    probe.must(response, response.body.length === 0, 'no body', `${response.body.length} bytes`)
    for (const name of ['content-type', 'allow', 'vary', 'etag', 'content-length'] as const) {
      const [own, wanted] = [response.headers[name], whole.headers[name]]
      if (own !== undefined || name !== 'content-length') probe.must(response, own === wanted, `${name}: ${wanted} as for GET`, String(own))
    }
  }],
  ['options', 'responds to OPTIONS with its metadata', methods, async (probe, resource) => {
    const response = await probe.request(resource.path, (await get(probe, resource)).request.headers, 'OPTIONS')
    const value = jsonOf(response) as JsonObject | null | undefined
    const holds = response.status === 200 && ['renders', 'parses'].every(name => Array.isArray(value?.[name]))
    if (!probe.must(response, holds, '200 with name, description, renders and parses', statusAndBody(response))) return
    probe.may(response, value?.['name'] === resource.name, `the name ${shown(resource.name)}`, shown(value?.['name']))
  }],
  ['redirect', 'is where the path without its slash redirects to', 'reference, "Missing trailing slash"', async (probe, resource) => {
    const response = await probe.request(`${resource.path.slice(0, -1)}?a=1`)
    const { location = 'none' } = response.headers
    const url = urlOf(location, probe.subject.base)
    const path = probe.pathOf(resource.path)
    const holds = response.status === 301 && url?.pathname === path && url.search === '?a=1'
    probe.must(response, holds, `301 to ${path}?a=1`, `${response.status}, Location: ${location}`)
  }],
  ['post', 'refuses POST with 405', methods, async (probe, resource) => {
    const needsToken = resource.access === 'token'
    const response = await probe.request(resource.path, { ...needsToken && probe.credentials, 'content-length': '0' }, 'POST')
    const isRefused = response.status === 405 || (needsToken && probe.subject.token === undefined && response.status === 401)
    probe.must(response, isRefused, '405', String(response.status))
    probe.must(response, response.headers.allow === allowedMethods, `Allow: ${allowedMethods}`, String(response.headers.allow))
  }, 'probe-writes']
]

export const listChecks = resources.flatMap(resource => checks.map(check => checkList(resource, ...check)))
