import type { JsonObject } from '../base/json.ts'

/**
 * Why a walk ended: at the last page, a link that leads back or elsewhere, after the most pages, or at a page that
 * can't be read.
 */
export type WalkEnd = 'last' | 'circle' | 'elsewhere' | 'limit' | 'unread'

export type Walk<Page> = {
  /** Returns the page of a response; undefined where it is none. */
  pageOf: (response: Page) => JsonObject | undefined
  /** Requests the page of a link; undefined for a link that is not followed. `index` counts from 0. */
  follow: (link: string, index: number) => Promise<Page> | undefined
  /** The most pages. */
  most: number
}

/** Yields the pages from the first one along `next`, also the response that is no page, and returns why it ended. */
export async function * walk<Page> (
  first: Page, { pageOf, follow, most }: Walk<Page>
): AsyncGenerator<Page, WalkEnd, undefined> {
  const visited = new Set<string>()
  let response: Page | undefined = first
  for (let index = 1; response !== undefined; index++) {
    yield response
    const page = pageOf(response)
    if (page === undefined) return 'unread'
    const { next } = page
    if (typeof next !== 'string' || next === '') return 'last'
    if (visited.size === visited.add(next).size) return 'circle'
    if (index === most) return 'limit'
    response = await follow(next, index)
  }
  return 'elsewhere'
}
