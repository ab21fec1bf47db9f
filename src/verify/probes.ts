import { isPlainObject } from '../base/json.ts'
import { urlOf, type HttpRequest, type HttpResponse } from '../client/client.ts'
import { allowedMethods } from '../http/headers.ts'
import type { Resource } from '../lists/resources.ts'
import { expect, type Found, type Row } from './check.ts'
import { jsonOf, statusAndBody, type Context } from './exchange.ts'
import { has } from './records.ts'
import type { Collected, Series } from './requests.ts'

/** Sends a request of a path of the contract. */
type Ask = (target: string, headers?: HttpRequest['headers'], method?: string) => Promise<HttpResponse>

export type Probing = {
  resource: Resource
  /** The series of the list. */
  own: Collected
  ask: Ask
  /** Sends a request with a query of the list, and with the token for version 2.1. */
  get: Ask
  context: Context
}

/** Requests of its own; the judge returns why it can't be tried instead of differences. */
export type Probe = {
  /** A token, or permission to send POST. */
  needs?: 'token' | 'probe-writes'
  probe: (probing: Probing) => Promise<readonly Found[] | string>
}

export const from = ({ request }: HttpResponse) => ({ request })

/** Judges items one after another. */
export async function inTurn<Item> (items: readonly Item[], judge: (item: Item) => Promise<readonly Found[]>): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const item of items) found.push(...await judge(item))
  return found
}

/** Properties that only DRF's metadata has. */
const metadata = ['renders', 'parses']

const empty = { 'content-length': '0' }

/** The requests of each list that are no GET of its records. */
export const listProbes: readonly (Row & Probe)[] = [
  {
    id: 'etag', claim: 'responds with 304 to its ETag', clause: 'F23, D19',
    probe: async ({ get }) => {
      const plain = await get('')
      const { etag } = plain.headers
      if (etag === undefined) return expect(false, 'an ETag', 'none', from(plain))
      let same = await get('', { 'if-none-match': etag })
      const { etag: changed = etag } = same.headers
      if (same.status === 200 && changed !== etag) same = await get('', { 'if-none-match': changed })
      const { status, body, headers: { etag: sent = 'none' } } = same
      if (status === 200 && ![etag, changed, 'none'].includes(sent)) return 'needs an ETag that stays the same'
      const other = await get('', { 'if-none-match': '"another"' })
      const holds = status === 304 && body.length === 0 && sent === changed
      return [
        ...expect(holds, `304 without a body, ETag: ${changed}`, `${status}, ${body.length} bytes, ETag: ${sent}`, from(same)),
        ...expect(other.status === 200, '200 for another ETag', String(other.status), from(other))
      ]
    }
  },
  {
    id: 'images', claim: 'gives image URLs that can be fetched', clause: 'D12', of: has('url'),
    probe: async ({ own, ask, context: { base } }) => {
      const urls = (own.get('plain') as Series).sample.flatMap(record =>
        ['image_url', 'images', 'featured_image'].map(name => ({ record, url: urlOf(record[name]) })))
      const { record, url } = urls.find(({ url }) => url?.origin === base.origin) ?? {}
      if (record === undefined || url === undefined) return 'needs an image of the server'
      const image = await ask(url.pathname + url.search)
      const { 'content-type': type = 'no type' } = image.headers
      const holds = image.status === 200 && type.startsWith('image/')
      return expect(holds, '200 and an image', `${image.status}, ${type}`, { ...from(image), record })
    }
  },
  {
    id: 'options', claim: 'responds to OPTIONS with its metadata', clause: 'F7',
    probe: async ({ get }) => {
      const response = await get('', {}, 'OPTIONS')
      const value = jsonOf(response)
      const names = isPlainObject(value) ? Object.keys(value) : []
      const other = Array.isArray(value) ? `${response.status} with a list` : statusAndBody(response)
      const got = isPlainObject(value) ? `${response.status} with ${names.join(', ')}` : other
      const holds = response.status === 200 && metadata.every(name => names.includes(name))
      return expect(holds, '200 with name, description, renders and parses', got, from(response))
    }
  },
  {
    id: 'redirect', claim: 'is where the path without its slash redirects to', clause: 'F10',
    probe: async ({ resource, ask, context: { base, pathOf } }) => {
      const response = await ask(pathOf(resource.path).replace(/\/$/, '?a=1'))
      const { location = 'none' } = response.headers
      const [url, path] = [urlOf(location, base), pathOf(resource.path)]
      const holds = response.status === 301 && url?.pathname === path && url.search === '?a=1'
      return expect(holds, `301 to ${path}?a=1`, `${response.status}, Location: ${location}`, from(response))
    }
  },
  {
    id: 'read-only', claim: 'responds to POST with an error', clause: 'S2', needs: 'probe-writes',
    probe: async ({ get }) => {
      const response = await get('', empty, 'POST')
      return expect(response.status >= 300, 'an error', statusAndBody(response), from(response))
    }
  },
  {
    id: 'post', claim: 'rejects POST with 405', clause: 'F8', needs: 'probe-writes',
    probe: async ({ get, resource: { access } }) => {
      const response = await get('', empty, 'POST')
      const { status, headers: { allow = 'none' } } = response
      const isRefused = status === 405 || (access === 'token' && status === 401)
      const expected = `405 (or 401 for a token), Allow: ${allowedMethods}`
      return expect(isRefused && allow === allowedMethods, expected, `${status}, Allow: ${allow}`, from(response))
    }
  }
]
