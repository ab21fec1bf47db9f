import { resources } from '../lists/resources.ts'

export const catalogPath = '/.well-known/api-catalog'

/** A Link header that leads to the catalogue and what it links (RFC 9727, 2 and 3; RFC 8631). */
export const catalogLinks = [
  `<${catalogPath}>; rel="api-catalog"`,
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs/>; rel="service-doc"; type="text/html"'
].join(', ')

const profile = 'https://www.rfc-editor.org/info/rfc9727'

/** The media type of a linkset that is an API catalogue (RFC 9727, 4.2; RFC 9264). */
export const catalogType = `application/linkset+json;profile="${profile}"`

/** Every list, and the documents that describe each version of the API. */
export function apiCatalog (origin: string): string {
  const versions = new Set(resources.map(({ path }) => path.split('/').slice(0, 3).join('/')))
  const described = {
    'service-desc': [
      { href: `${origin}/openapi.json`, type: 'application/json', title: 'OpenAPI 3.1' },
      { href: `${origin}/openapi.yaml`, type: 'application/yaml', title: 'OpenAPI 3.1' }
    ],
    'service-doc': [{ href: `${origin}/docs/`, type: 'text/html', title: 'Reference' }]
  }
  const linkset = [
    {
      anchor: origin + catalogPath,
      item: resources.map(({ path, name }) => ({ href: origin + path, type: 'application/json', title: name })),
      profile: [{ href: profile }]
    },
    ...[...versions].map(version => ({ anchor: `${origin}${version}/`, ...described }))
  ]
  return `${JSON.stringify({ linkset }, null, 2)}\n`
}
