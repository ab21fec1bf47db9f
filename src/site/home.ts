import { html } from 'ghtml'
import { curlLine } from '../client/curl.ts'
import type { Catalogue, ServedRecord } from '../catalogue/catalogue.ts'
import { version } from '../package.ts'
import { maxAgeOf, resources, type Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { breakable, commandLine } from './exchange.ts'
import { layout, type PageSettings } from './layout.ts'
import { nameOf, image, recordAddress, textAt, type Shown } from './record.ts'

const galleryBikes = 8
const dateFormat = { dateStyle: 'long', timeZone: 'UTC' } as const
const doors = [
  ['/docs/', 'Reference', 'Every list, parameter, status and header.'],
  ['/openapi.json', 'OpenAPI 3.1', 'The reference as a document, for client generators.'],
  ['/tokens/', 'Tokens', 'Version 2.1 needs a token; this form issues one.']
] as const

type HomeSettings = PageSettings & Pick<Settings, 'pageSize' | 'watch'>

/** Returns the home page; its snippets contain the origin of the request. */
export function homePage (catalogue: Catalogue, origin: string, settings: HomeSettings): string {
  const { featured: [first, ...others], updated, digest } = catalogue
  const address = `${origin}/api/v1/bikes/`
  const main = html`<div class="hero">
<div>
<h1>Bicycles and their parts, as JSON</h1>
<p class="lead">A mock server for one existing web service. Ask it for errors, delays and odd data.</p>
<p class="buttons"><a class="button primary" href="/api/v1/bikes/?format=api">Browse the bikes</a>
<a class="button" href="!${settings.simulate ? '/__simulate' : '#fail'}">Make it fail</a></p>
</div>
!${first === undefined ? '' : html`<figure>!${image(first, 'bike', catalogue, { alt: nameOf(first), isFirst: true })}</figure>`}
</div>
<section aria-labelledby="lists"><h2 id="lists">Lists</h2>
<div class="scroll"><table class="lists">
<thead><tr><th scope="col">List</th><th scope="col" class="number">Records</th><th scope="col" class="wide">Ordering</th>
<th scope="col" class="wide">Cached</th><th scope="col">Access</th></tr></thead>
<tbody>
!${resources.map(resource => listRow(resource, catalogue, settings))}</tbody>
</table></div>
</section>
<section aria-labelledby="start"><h2 id="start">Start a client</h2>
!${snippets(clients(address))}</section>
!${settings.simulate ? failuresSection(address) : switchedOff}!${gallery(others.slice(0, galleryBikes), { catalogue, settings })}
<section aria-labelledby="more"><h2 id="more">More</h2>
<ul class="doors">
!${doors.filter(([path]) => settings.tokenForm || path !== '/tokens/').map(([path, name, about]) => html`<li>
<h3><a href="${path}">${name}</a></h3><p>${about}</p></li>
`)}</ul>
<dl class="stamp"><div><dt>Version</dt><dd>${version}</dd></div>
<div><dt>Data updated</dt><dd><time datetime="${updated.toISOString()}">${updated.toLocaleDateString('en-GB', dateFormat)}</time></dd></div>
<div><dt>Data digest</dt><dd><code>${digest}</code></dd></div>
</dl></section>`
  return layout({ title: 'Bicycle Catalogue', path: '/', main, settings })
}

function gallery (bikes: readonly ServedRecord[], shown: Shown): string {
  if (bikes.length === 0) return ''
  return html`<section aria-labelledby="featured"><h2 id="featured">Featured bikes</h2>
<ul class="gallery">
!${bikes.map(bike => html`<li><a href="!${recordAddress(shown, 'bike', bike.id, 'featured')}">
!${image(bike, 'bike', shown.catalogue)}
<span><b dir="auto">${nameOf(bike)}</b><span class="muted small">${textAt(bike, 'category.name')}</span></span></a></li>
`)}</ul>
<p><a class="button" href="/api/v1/bikes/featured/?format=api">All featured bikes</a></p></section>
`
}

function listRow (resource: Resource, catalogue: Catalogue, settings: HomeSettings): string {
  const { key, path, sortable, access } = resource
  const maxAge = maxAgeOf(resource, settings)
  const ordering = sortable.length > 2 ? `${sortable.length} fields` : sortable.join(', ')
  return html`<tr>
<td><a href="${path}?format=api"><code>!${breakable(path)}</code></a></td>
<td class="number">${catalogue[key].length}</td>
<td class="wide muted">${ordering || 'none'}</td>
<td class="wide muted">${maxAge === null ? 'revalidated' : `${maxAge / 60} minutes`}</td>
<td><span class="tag tag-${access}">${access}</span></td>
</tr>
`
}

type Snippet = readonly [name: string, text: string]

const clients = (address: string): readonly Snippet[] => [
  ['curl', curlLine({ address })],
  ['fetch', `const response = await fetch(
  '${address}'
)
const bikes = await response.json()
console.log(bikes[0].title)`],
  ['Python', `import requests

bikes = requests.get(
    '${address}'
).json()
print(bikes[0]['title'])`]
]

const failures = [
  ['An error', 'code=503, retry-after=5'], ['A delay', 'delay=2000'], ['Odd records', 'example=odd'], ['A broken connection', 'fault=reset']
] as const

/** Returns examples of simulated requests, and a link to the page that adds rules. */
function failuresSection (address: string): string {
  const tries = failures.map(([name, Prefer]): Snippet => [name, curlLine({ address, headers: { Prefer } })])
  return html`<section aria-labelledby="fail"><h2 id="fail">Make it fail</h2>
!${snippets(tries, 'snippets pairs')}<p class="buttons"><a class="button" href="/__simulate">Simulate responses to an app</a></p></section>
`
}

const switchedOff = html`<section aria-labelledby="fail"><h2 id="fail">Make it fail</h2>
<p>This server was started without simulation. Start it with:</p>
!${commandLine('npx bicycle-catalogue --simulate')}</section>
`

function snippets (all: readonly Snippet[], arrangement = 'snippets'): string {
  return html`<div class="${arrangement}">
!${all.map(([name, text]) => html`<div><h3>${name}</h3>
!${commandLine(text, `the ${name} snippet`)}</div>
`)}</div>
`
}
