import { writeQuery } from '../../http/target.ts'

/** Returns the key of a query: its parameters sorted, as they are encoded in links; a path stays as it is. */
export function keyOf (query: string): string {
  return query.startsWith('/') ? query : writeQuery(new URLSearchParams(query))
}

/** Returns the key of a query with parameters that a service adds to its links. */
export function withParameters (key: string, parameters = ''): string {
  const sent = new URLSearchParams(key)
  return writeQuery([...sent, ...[...new URLSearchParams(parameters)].filter(([name]) => !sent.has(name))])
}

/** Returns the parameters that a link to page 2 has but for those of its request. */
export function parametersIn (link: string): string {
  const parameters = new URLSearchParams(link.split('?')[1])
  return parameters.has('page') ? writeQuery([...parameters].filter(([name]) => name !== 'page')) : ''
}

/** A slash in JSON, which some services escape. */
const slash = String.raw`(?:\\?\/|\\u002[fF])`

const links = new RegExp(String.raw`https?:${slash}${slash}[^\s"'<>?#]*?(?=${slash}api${slash}v[12]${slash})`, 'g')

/** Returns the base URLs of the links to lists in a text. */
export const basesIn = (text: string) => new Set([...text.matchAll(links)].map(([link]) => link.replaceAll(/\\\/|\\u002f/gi, '/')))

/** Returns a pattern of a URL in JSON. */
export const writtenUrl = (url: string) => url.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('/', slash)

/** Writes the slashes of a URL as another one in JSON. */
export function withSlashesOf (written: string, url: string): string {
  const [found] = /\\?\/|\\u002f/i.exec(written) as unknown as [string]
  return url.replaceAll('/', found)
}

/** Returns a function that replaces the base URLs of a service, and writes slashes as the text does. */
export function baseReplacer (bases: readonly string[]): (text: string, origin: string) => string {
  const known = bases.map(base => base.replace(/\/$/, '')).filter(base => base.includes('/')).sort((a, b) => b.length - a.length)
  if (known.length === 0) return text => text
  const pattern = new RegExp(`(?:${known.map(writtenUrl).join('|')})(?![\\w.:@-])`, 'g')
  return (text, origin) => text.replace(pattern, found => withSlashesOf(found, origin))
}
