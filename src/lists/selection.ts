import { isDeepStrictEqual } from 'node:util'
import type { Replay } from '../catalogue/recorded/responses.ts'
import { attempt } from '../base/attempt.ts'
import { errors } from '../http/errors.ts'
import { lastValue, writeQuery } from '../http/target.ts'
import { findPage, lastPage, type ListPage } from './page.ts'
import type { ListReader } from './reader.ts'
import type { ListRequest } from './request.ts'

/** The records of a response, the same for its JSON and its browsable page. */
export type Selection = {
  /** The positions of the list or of the part of it that has pages, in the order of the request. */
  matches: readonly number[]
  /** Undefined for the unpaged list. */
  page: ListPage | undefined
  /** The positions of the records in the response. */
  positions: readonly number[]
  /** The recorded response, in place of one that is made. */
  replay: Replay | undefined
}

/** Returns a function that selects the records of a list request; it throws 400 for invalid filters and 404 for an invalid page. */
export function createSelect (reader: ListReader) {
  return function select (request: ListRequest): Selection {
    const replay = replayOf(request)
    return replay === undefined ? make(request) : placeOf(replay, request)
  }

  function replayOf ({ resource, query, origin, indent }: ListRequest): Replay | undefined {
    const { document, isReplayed, recorded } = reader.formOf(resource)
    if (document !== undefined) return recorded?.to('', origin)
    if (!isReplayed || !resource.isReplayed || indent > 0) return undefined
    return recorded?.to(writeQuery([...query].filter(([name]) => name !== 'format')), origin)
  }

  /** Selects the records of a response that is made, or the recorded refusal of an invalid page. */
  function make (request: ListRequest): Selection {
    const { resource, query } = request
    const matches = reader.positionsOf(request)
    if (request.page === undefined) return { matches, page: undefined, positions: matches, replay: undefined }
    const pageSize = resource.pageSizeParameter ? lastValue(query, 'page_size') : undefined
    const page = findPage(matches.length, request.page, pageSize, resource.pageSize, resource.firstPage)
    if (page === undefined) return selectionOf(refusalOf(request))
    return { matches, page, positions: matches.slice(page.start, page.start + page.size), replay: undefined }
  }

  function refusalOf ({ resource, origin }: ListRequest): Replay {
    const last = lastPage(reader.countOf(resource), resource.pageSize, resource.firstPage)
    const refusal = resource.isReplayed ? reader.formOf(resource).recorded?.beyond(last, origin) : undefined
    if (refusal === undefined) throw errors.invalidPage()
    return refusal
  }

  /** Finds the place of a recorded response among the pages of its list, if it is one of them. */
  function placeOf (replay: Replay, request: ListRequest): Selection {
    const own = selectionOf(replay)
    const { value: made } = attempt(() => make(request))
    const isPlaced = made !== undefined && (made.page === undefined) === (own.page === undefined) &&
      isDeepStrictEqual(made.positions, own.positions)
    return isPlaced ? { ...made, replay } : own
  }
}

/** Selects the records of a recorded response alone. */
function selectionOf (replay: Replay): Selection {
  const { records: positions = [] } = replay
  const { length } = positions
  const page = { first: 1, number: 1, last: 1, start: 0, size: length, count: length }
  return { matches: positions, page: replay.envelope() === undefined ? undefined : page, positions, replay }
}
