import type { JsonObject } from '../base/json.ts'

export type Walk<PageResponse> = {
  /** Returns the page of a response; undefined where it is none. */
  pageOf: (response: PageResponse) => JsonObject | undefined
  /** Requests the page of a link; undefined for a link that is not followed. `index` counts from 0. */
  follow: (link: string, index: number) => Promise<PageResponse> | undefined
  /** The most responses that are yielded. */
  most: number
}

/**
 * Yields the pages from the first one along `next`, also a response that is no page. Returns whether it read the last
 * page: a link that leads back or elsewhere, a page that can't be read, and the most pages end it earlier.
 */
export async function * walk<PageResponse> (
  first: PageResponse, { pageOf, follow, most }: Walk<PageResponse>
): AsyncGenerator<PageResponse, boolean, undefined> {
  const visited = new Set<string>()
  let response: PageResponse | undefined = first
  for (let index = 1; response !== undefined; index++) {
    yield response
    const page = pageOf(response)
    if (page === undefined) return false
    const { next } = page
    if (typeof next !== 'string' || next === '') return true
    const isCircle = visited.size === visited.add(next).size
    if (isCircle || index === most) return false
    response = await follow(next, index)
  }
  return false
}
