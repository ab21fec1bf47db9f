import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Frame, ListForm, Replay } from '../catalogue/recorded/responses.ts'
import { writeQuery } from '../http/target.ts'
import { pageFields, type ListPage } from './page.ts'
import type { ListReader } from './reader.ts'
import type { ListRequest } from './request.ts'
import type { Resource } from './resources.ts'
import { copyOf, frameOf, indented, pageFrame, toJson } from './serialise.ts'

export type ServedList = {
  replay: (request: ListRequest) => Replay | undefined
  /** Returns a recorded response to a page after the last one. */
  invalidPage: (request: ListRequest, last: number) => Replay | undefined
  /** Headers that differ from the contract's; null for absent ones. */
  headers: Replay['headers']
  /** Returns the texts around the records of a page, or of the unpaged list. */
  frame: (request: ListRequest, page: ListPage | undefined) => Frame
  /** Returns a function that makes the JSON of a record, with the indent of the request. */
  json: (request: Pick<ListRequest, 'origin' | 'indent'>) => (position: number) => Buffer
}

export const servedList = (resource: Resource, catalogue: Catalogue, reader: ListReader): ServedList => {
  return catalogue.isRecorded ? recordedList(resource, reader, catalogue.forms[resource.key]) : authoredList(resource, reader)
}

/** Returns the fields of a page before its records. */
export function linksOf ({ resource, origin, query }: ListRequest, page: ListPage, added = '') {
  const sent = new URLSearchParams([...query, ...[...new URLSearchParams(added)].filter(([name]) => !query.has(name))])
  return pageFields(page, origin + resource.path, sent)
}

/** Serves records with the fields of their schema in its order. */
function authoredList (resource: Resource, { recordAt, schemaOf }: ListReader): ServedList {
  const schema = schemaOf(resource)
  return {
    replay: () => undefined,
    invalidPage: () => undefined,
    headers: {},
    frame: (request, page) => contractFrame(request, page),
    json: ({ origin, indent }) => position => Buffer.from(toJson(copyOf(schema, recordAt(resource, position), origin), indent))
  }
}

/** Serves recorded responses, and makes others in the form of the nearest one from the texts of records. */
function recordedList (resource: Resource, { recordAt, origin: recordOrigin }: ListReader, recorded: ListForm): ServedList {
  const { array, bytesAt, headers, document } = recorded
  return {
    headers,
    replay ({ query, origin, indent, resource: { isReplayed } }) {
      if (document !== undefined) return recorded.replay('', origin)
      if (recordOrigin !== 'catalogue' || indent > 0 || !isReplayed) return undefined
      return recorded.replay(writeQuery([...query].filter(([name]) => name !== 'format')), origin)
    },
    invalidPage: ({ origin, resource: { isReplayed } }, last) => isReplayed ? recorded.invalidPage(last, origin) : undefined,
    frame (request, page) {
      const { indent, origin } = request
      if (indent > 0) return contractFrame(request, page)
      if (page === undefined) return array
      const own = recorded.pageFrame(linksOf(request, page, recorded.parameters), origin)
      return own ?? { ...contractFrame(request, page), separator: array.separator }
    },
    json: ({ origin, indent }) => position => {
      const json = recordOrigin === 'example' ? undefined : bytesAt(position, origin)
      if (json === undefined) return Buffer.from(toJson(recordAt(resource, position), indent))
      return indent === 0 ? json : Buffer.from(indented(json.toString(), indent))
    }
  }
}

function contractFrame (request: ListRequest, page: ListPage | undefined): Frame {
  const { indent } = request
  const array = frameOf(indent, page === undefined ? 0 : 1)
  return page === undefined ? array : pageFrame(linksOf(request, page), array, indent)
}
