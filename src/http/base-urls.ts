/** The most base URLs of a service that are replaced in its links. */
export const maxBases = 16

/** Returns the base URLs of the links to lists in a text, at most 16. */
export function basesIn (text: string): ReadonlySet<string> {
  const bases = new Set<string>()
  for (const [url] of text.matchAll(/https?:[^\s"'<>?#]+/gi)) {
    const plain = url.replaceAll(new RegExp(slash, 'g'), '/')
    const [, base] = /^(https?:\/\/[^/].*?)\/api\/v[12]\//i.exec(plain) ?? []
    if (base !== undefined) bases.add(base)
    if (bases.size === maxBases) break
  }
  return bases
}

/** A slash in JSON, which some services escape. */
const slash = String.raw`(?:\\?\/|\\u002[fF])`

/** Returns the source of a regular expression that matches a URL in JSON, however its slashes are written. */
export const writtenUrl = (url: string) => url.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('/', slash)

/** Returns a URL with its slashes written as the first one in a JSON text: `/`, `\/` or `\u002f`. */
export function withSlashesOf (written: string, url: string): string {
  const [found] = /\\?\/|\\u002f/i.exec(written) as RegExpExecArray
  return url.replaceAll('/', found)
}

/** Returns a function that replaces at most 16 base URLs of a service, and writes slashes as the text does. */
export function baseReplacer (urls: readonly string[]): (text: string, origin: string) => string {
  const withoutSlash = urls.map(url => url.replace(/\/$/, ''))
  const bases = withoutSlash.filter(base => base.includes('/'))
  if (bases.length === 0) return text => text
  const longestFirst = bases
    .slice(0, maxBases)
    .sort((one, other) => other.length - one.length)
  const anyBase = longestFirst.map(writtenUrl).join('|')
  const pattern = new RegExp(`(?:${anyBase})(?![\\w.:@-])`, 'gi')
  return (text, origin) => text.replace(pattern, found => withSlashesOf(found, origin))
}
