import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { preferences, type Preferred } from './preferences.ts'

type Fields = Record<string, string>

/**
 * Has an answer say in its head what was obeyed of what its request prefers, and be kept by nobody. Every answer passes here, whatever
 * makes it. A body of so many bytes can be changed with its fields before it is written.
 */
export function sayWhatIsObeyed (
  { method }: FastifyRequest,
  raw: ServerResponse,
  { wanted, sent }: Preferred,
  isList: boolean,
  changeBody: (fields: Fields, length: number) => void
): void {
  const writeHead = raw.writeHead.bind(raw)
  Object.assign(raw, {
    writeHead (status: number, given: OutgoingHttpHeaders | string[]) {
      const fields = fieldsOf(given)
      const length = method === 'HEAD' || status === 304 ? 0 : Number(fields['content-length'])
      const hasBody = length > 0
      const obeyed = [...sent].filter(([name]) => preferences[name].isObeyed(wanted, { status, isList, hasBody }))
      if (obeyed.length === 0) return writeHead(status, given)
      const applied = obeyed.map(([name, { text }]) => `${name}=${text}`)
      fields['preference-applied'] = [fields['preference-applied'] ?? [], applied].flat().join(', ')
      fields['cache-control'] = 'no-store'
      if (obeyed.some(([, { byHeader }]) => byHeader)) fields['vary'] = [fields['vary'] ?? [], 'Prefer'].flat().join(', ')
      if (hasBody) changeBody(fields, length)
      return writeHead(status, fields)
    }
  })
}

/** The fields of a head, which come as an object or as names and values in turn. */
function fieldsOf (given: OutgoingHttpHeaders | string[]): Fields {
  const pairs = Array.isArray(given)
    ? given.flatMap((name, index) => index % 2 === 0 ? [[name, given[index + 1]]] : [])
    : Object.entries(given)
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]))
}
