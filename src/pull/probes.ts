import type { Recording, RecordedList } from '../../schemas/stored.ts'
import { readRecords } from '../catalogue/recorded/texts.ts'
import type { Resource } from '../lists/resources.ts'
import type { Service } from './lists.ts'

type Probe = Service & { resource: Resource, token: string | undefined }

/** Returns a service whose requests may stay without a response; after the first one, none is sent. */
export function mayGiveUp ({ get, signal, warn }: Service) {
  let isGivenUp = false
  return async (...request: Parameters<Service['get']>) => {
    if (isGivenUp) return undefined
    try {
      return await get(...request)
    } catch (error) {
      signal.throwIfAborted()
      isGivenUp = true
      warn(`${(error as Error).message}; the lists are complete, and what only further requests can show is left to the contract`)
      return undefined
    }
  }
}

export type Ask = ReturnType<typeof mayGiveUp>

/** Asks a list for a page, and for a page of one record; returns what differs from its known form. */
export async function probePages (
  ask: Ask, { base, resource: { path }, token }: Pick<Probe, 'base' | 'resource' | 'token'>, { paginate }: RecordedList
): Promise<RecordedList> {
  const read = async (query: string) => {
    const response = await ask(new URL(`.${path}?${query}`, base), token)
    return response?.status === 200 ? readRecords(response.body) : undefined
  }
  const first = paginate === 'always' ? undefined : await read('page=1')
  if (first !== undefined && first.page === undefined) return { paginate: 'never' }
  if (first === undefined && paginate !== 'always') return {}
  const { values: { length } = { length: 2 }, envelope: { open, close } = { open: '', close: '' }, page } = first ?? {}
  const one = length > 1 ? await read('page=1&page_size=1') : undefined
  return {
    ...one !== undefined && one.values.length !== 1 && { pageSizeParameter: false },
    ...typeof page?.['next'] === 'string' && { pageSize: length },
    ...page && { envelopes: { 'page=1': { open, close, start: 0, size: length } } }
  }
}

/** Asks version 2.1 without a token and with an invalid one; returns the responses. */
export async function probeRefusals (ask: Ask, url: URL): Promise<NonNullable<Recording['v2']>> {
  const refusals: NonNullable<Recording['v2']> = {}
  for (const [kind, token] of [['missing', undefined], ['invalid', 'invalid']] as const) {
    const response = await ask(url, token)
    if (response === undefined || response.status < 400 || response.status > 499) continue
    const { status, headers, body } = response
    const kept = ['content-type', 'www-authenticate', 'cache-control', 'vary'].map(name => [name, headers[name]] as const)
    const present = kept.filter((header): header is [string, string] => typeof header[1] === 'string')
    refusals[kind] = { status, headers: Object.fromEntries(present), body: body.toString() }
  }
  return refusals
}
