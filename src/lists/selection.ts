import { isDeepStrictEqual } from 'node:util'
import type { Replay } from '../recorded/responses.ts'
import { attempt } from '../base/attempt.ts'
import { errors } from '../http/errors.ts'
import { lastValue, writeQuery } from '../http/target.ts'
import { findPage, type ListPage } from './page.ts'
import type { ListReader } from './reader.ts'
import type { ListRequest } from './request.ts'

/** The records of a response, the same for its JSON and its browsable page. */
type Selection = {
  /** The positions of the list or of the part of it that has pages, in the order of the request. */
  matches: readonly number[]
  /** Undefined for the unpaged list. */
  page?: ListPage | undefined
  /** The positions of the records in the response. */
  positions: readonly number[]
  /** The recorded response, in place of one that is made. */
  replay?: Replay
}

/**
 * Returns a function that selects the records of a list request. It throws 400 for invalid filters and 404 for an
 * invalid page.
 */
export function createSelect (reader: ListReader) {
  return function select (request: ListRequest): Selection {
    const replay = replayOf(request)
    return replay === undefined ? make(request) : placeOf(replay, request)
  }

  function replayOf ({ resource, query, origin, indent }: ListRequest): Replay | undefined {
    const { isDocument, isReplayed, recorded } = reader.formOf(resource)
    if (isDocument) return recorded?.to('', origin)
    if (!isReplayed || !resource.isReplayed || indent > 0) return undefined
    const parameters = new URLSearchParams(query)
    parameters.delete('format')
    return recorded?.to(writeQuery(parameters), origin)
  }

  /** Selects the records of a response that is made. */
  function make (request: ListRequest): Selection {
    const { resource, query } = request
    const { pageSize, pageSizeParameter, maxPageSize } = resource
    const matches = reader.positionsOf(request)
    if (request.page === undefined) return { matches, positions: matches }
    const sentSize = pageSizeParameter ? lastValue(query, 'page_size') : undefined
    const page = findPage(matches.length, request.page, sentSize, pageSize, maxPageSize)
    if (page === undefined) throw errors.invalidPage()
    const { start, size } = page
    return { matches, page, positions: matches.slice(start, start + size) }
  }

  /** Finds the place of a recorded response among the pages of its list, if it is one of them. */
  function placeOf (replay: Replay, request: ListRequest): Selection {
    const own = selectionOf(replay)
    const { value: made } = attempt(() => make(request))
    const isPaged = own.page !== undefined
    if (made === undefined || isPaged !== (made.page !== undefined)) return own
    const isPlaced = isDeepStrictEqual(made.positions, own.positions)
    return isPlaced ? { ...made, replay } : own
  }
}

/** Selects the records of a recorded response alone. */
function selectionOf (replay: Replay): Selection {
  const { records: positions = [] } = replay
  const selection: Selection = { matches: positions, positions, replay }
  if (replay.envelope() === undefined) return selection
  const { length } = positions
  const page = { number: 1, last: 1, start: 0, size: length, count: length }
  return { ...selection, page }
}
