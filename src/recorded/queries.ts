import { writeQuery } from '../http/target.ts'

/** Returns the key of a query: its parameters sorted, as they are encoded in links; a path stays as it is. */
export function keyOf (query: string): string {
  return query.startsWith('/') ? query : writeQuery(new URLSearchParams(query))
}

/** Returns the key of a query with parameters that a service adds to its links. */
export function withParameters (key: string, parameters = ''): string {
  return writeQuery(addParameters(new URLSearchParams(key), parameters))
}

/** Returns the parameters of a query, and added ones that it lacks. */
export function addParameters (query: URLSearchParams, added = ''): URLSearchParams {
  const all = new URLSearchParams(query)
  for (const [name, value] of new URLSearchParams(added)) {
    if (!query.has(name)) all.append(name, value)
  }
  return all
}

/** Returns the parameters of a link to page 2 besides `page`; an empty string for another link. */
export function parametersIn (link: string): string {
  const [address = ''] = link.split('#')
  const parameters = new URLSearchParams(address.split('?')[1])
  if (!parameters.has('page')) return ''
  parameters.delete('page')
  return writeQuery(parameters)
}
