/** Why a walk ended: after the last page, or before it. */
export type WalkEnd = 'last' | 'no page' | 'not followed' | 'circle' | 'limit'

export type Walk<PageResponse> = {
  /** Returns the link to the next page, null after the last one; undefined for a response that is no page. */
  nextOf: (response: PageResponse) => string | null | undefined
  /** Requests the page of a link in a response; undefined for a link that is not followed. `index` counts from 0. */
  follow: (link: string, response: PageResponse, index: number) => Promise<PageResponse> | undefined
  /** The most responses that are yielded. */
  most: number
}

/** Yields the pages from the first one along their next links, also a response that is no page. */
export async function * walk<PageResponse> (
  first: PageResponse, { nextOf, follow, most }: Walk<PageResponse>
): AsyncGenerator<PageResponse, WalkEnd, undefined> {
  const visited = new Set<string>()
  let response: PageResponse | undefined = first
  for (let index = 1; response !== undefined; index++) {
    yield response
    const next = nextOf(response)
    if (next === undefined) return 'no page'
    if (next === null) return 'last'
    if (visited.has(next)) return 'circle'
    if (index === most) return 'limit'
    visited.add(next)
    response = await follow(next, response, index)
  }
  return 'not followed'
}
