import { resources, type Resource } from '../lists/resources.ts'
import { allowedMethods } from '../http/headers.ts'
import type { Answer } from './ask.ts'
import { type Check, type Probe } from './check.ts'
import { answered, checkOf, get, isEnvelope, jsonOf, named, readList, shown, type Sent } from './read.ts'
import { faultsOf } from './shape.ts'

/** The checks that every list has to pass. */
export const listChecks: readonly Check[] = resources.flatMap(resource => {
  const check = checkOf(resource)
  const [endpoints, fieldTables] = ['specification, "Endpoints"', 'specification, "Resources and their fields"']
  const methods = 'reference, "Methods and OPTIONS"'
  return [
    check('status', 'answers 200 with a list', endpoints, status),
    check('content-type', 'is application/json', endpoints, contentType),
    check('allow', `allows ${allowedMethods}`, endpoints, allow),
    check('vary', 'varies by Accept', endpoints, vary),
    check('cache', 'says how long it may be kept', 'specification, "Limits"', cache),
    check('schema', 'gives records of the contract\'s form', fieldTables, schema),
    check('fields', 'gives the fields in the contract\'s order', fieldTables, fields),
    check('pictures', 'gives absolute picture URLs that can be fetched', fieldTables, pictures),
    check('default-order', 'comes in ascending id order', 'specification, "Ordering rules"', defaultOrder),
    check('head', 'answers HEAD like GET, without a body', methods, head),
    check('options', 'answers OPTIONS with its metadata', methods, options),
    check('redirect', 'is where the path without its slash redirects to', 'reference, "Missing trailing slash"', redirect),
    { ...check('post', 'refuses POST with 405', methods, post), needs: 'probe-writes' }
  ]
})

async function status (probe: Probe, resource: Resource): Promise<void> {
  const answer = await get(probe, resource)
  if (!probe.must(answer, answer.status === 200, '200', answered(answer))) return
  const value = jsonOf(answer)
  probe.must(answer, Array.isArray(value) || isEnvelope(value), 'a JSON array, or a page with its results', answered(answer))
}

async function contentType (probe: Probe, resource: Resource): Promise<void> {
  const answer = await get(probe, resource)
  const { 'content-type': type = 'none' } = answer.headers
  probe.must(answer, type === 'application/json', 'application/json without a charset', type)
}

async function allow (probe: Probe, resource: Resource): Promise<void> {
  const answer = await get(probe, resource)
  const { allow: methods = 'none' } = answer.headers
  probe.must(answer, methods === allowedMethods, `Allow: ${allowedMethods}`, methods)
}

async function vary (probe: Probe, resource: Resource): Promise<void> {
  const answer = await get(probe, resource)
  const { vary = 'none' } = answer.headers
  const names = vary.split(',').map(name => name.trim().toLowerCase())
  if (!probe.must(answer, names.includes('accept'), 'Vary: Accept', vary)) return
  const others = names.filter(name => !['accept', 'accept-encoding'].includes(name)) // a server may compress
  probe.may(answer, others.length === 0, 'nothing but Accept and Accept-Encoding in Vary', vary)
}

async function cache (probe: Probe, resource: Resource): Promise<void> {
  const answer = await get(probe, resource)
  const { 'cache-control': control = 'none' } = answer.headers
  const { maxAge, isAgeStated } = resource
  const wanted = maxAge === null ? 'no public caching' : `max-age=${maxAge}`
  if (!probe.may(answer, control !== 'none', `Cache-Control with ${wanted}`, control)) return
  const holds = maxAge === null ? !/\bpublic\b/.test(control) : new RegExp(`\\bmax-age=${maxAge}\\b`).test(control)
  const judge = maxAge === null || isAgeStated ? 'must' : 'may'
  probe[judge](answer, holds, wanted, shown(control))
}

async function schema (probe: Probe, resource: Resource): Promise<void> {
  const { answer, records } = await readList(probe, resource)
  for (const { isSilent, expected, got, record } of faultsOf(resource, records)) {
    probe[isSilent ? 'may' : 'must'](answer, false, expected, got, record)
  }
}

async function fields (probe: Probe, resource: Resource): Promise<void> {
  const { answer, records } = await readList(probe, resource)
  const wanted = Object.keys(resource.record.properties)
  const known = (record: Sent) => Object.keys(record).filter(field => wanted.includes(field))
  const different = records.find(record => {
    const own = known(record)
    return own.join() !== wanted.filter(field => own.includes(field)).join()
  })
  if (different === undefined) return
  probe.must(answer, false, wanted.join(', '), `${Object.keys(different).join(', ')} in ${named(different)}`, different)
}

async function pictures (probe: Probe, resource: Resource): Promise<void> {
  const { answer, records } = await readList(probe, resource)
  const names = ['image_url', 'images', 'featured_image']
  const all = records.flatMap(record => names.map(name => ({ record, name, url: record[name] }))).filter(isText)
  const bad = all.find(({ url }) => !/^https?:\/\//.test(url) || !URL.canParse(url))
  if (bad !== undefined) {
    const { record, name, url } = bad
    probe.must(answer, false, 'absolute http(s) URLs', `${name} ${shown(url)} in ${named(record)}`, record)
  }
  const first = all.find(({ url }) => URL.canParse(url) && new URL(url).origin === probe.base.origin)
  if (first === undefined) return
  const picture = await probe.follow(new URL(first.url))
  const { 'content-type': type = 'no type' } = picture.headers
  probe.must(picture, picture.status === 200 && type.startsWith('image/'), '200 and a picture', `${picture.status}, ${type}`, first.record)
}

function isText<T extends { url: unknown }> (picture: T): picture is T & { url: string } {
  return typeof picture.url === 'string'
}

async function defaultOrder (probe: Probe, resource: Resource): Promise<void> {
  const { answer, records } = await readList(probe, resource)
  const ids = records.map(({ id }) => Number(id))
  const place = ids.findIndex((id, index) => index > 0 && id <= Number(ids[index - 1]))
  const judge = resource.key === 'chains' ? 'must' : 'may' // the specification says it of chains only
  probe[judge](answer, place === -1, 'ascending ids', `${ids[place - 1]} before ${ids[place]}`, records[place])
}

async function head (probe: Probe, resource: Resource): Promise<void> {
  const whole = await get(probe, resource)
  const answer = await probe.ask('HEAD', resource.path, whole.asked.headers)
  probe.must(answer, answer.status === whole.status, `${whole.status} as for GET`, String(answer.status))
  probe.must(answer, answer.body.length === 0, 'no body', `${answer.body.length} bytes`)
  for (const name of ['content-type', 'allow', 'vary', 'etag', 'content-length'] as const) {
    const [own, wanted] = [answer.headers[name], whole.headers[name]]
    if (own !== undefined || name !== 'content-length') probe.must(answer, own === wanted, `${name}: ${wanted} as for GET`, String(own))
  }
}

async function options (probe: Probe, resource: Resource): Promise<void> {
  const answer = await probe.ask('OPTIONS', resource.path, (await get(probe, resource)).asked.headers)
  const value = jsonOf(answer) as Sent | null | undefined
  const lists = ['renders', 'parses'].every(name => Array.isArray(value?.[name]))
  const holds = answer.status === 200 && lists
  if (!probe.must(answer, holds, '200 with name, description, renders and parses', answered(answer))) return
  probe.may(answer, value?.['name'] === resource.name, `the name ${shown(resource.name)}`, shown(value?.['name']))
}

async function redirect (probe: Probe, resource: Resource): Promise<void> {
  const answer = await probe.get(`${resource.path.slice(0, -1)}?a=1`)
  const { location = 'none' } = answer.headers
  const leadsTo = URL.canParse(location, probe.base.href) ? new URL(location, probe.base) : undefined
  const path = probe.pathOf(resource.path)
  const holds = answer.status === 301 && leadsTo?.pathname === path && leadsTo.search === '?a=1'
  probe.must(answer, holds, `301 to ${path}?a=1`, `${answer.status}, Location: ${location}`)
}

async function post (probe: Probe, resource: Resource): Promise<void> {
  const credentials = resource.access === 'token' && probe.token !== undefined ? probe.credentials : {}
  const answer: Answer = await probe.ask('POST', resource.path, { ...credentials, 'content-length': '0' })
  const isRefused = answer.status === 405 || (resource.access === 'token' && probe.token === undefined && answer.status === 401)
  probe.must(answer, isRefused, '405', String(answer.status))
  probe.must(answer, answer.headers.allow === allowedMethods, `Allow: ${allowedMethods}`, String(answer.headers.allow))
}
