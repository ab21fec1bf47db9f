import { html } from 'ghtml'
import { curlLine } from '../http/curl.ts'
import { Bike } from '../../schemas/v1/bike.ts'
import type { Catalogue, ServedRecord } from '../catalogue/catalogue.ts'
import { version } from '../package.ts'
import { resources, type Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { fit } from './fit.ts'
import { layout, type PageSettings } from './layout.ts'
import { nameOf, picture, recordAddress, type Shown } from './record.ts'

/** The number of bikes in the gallery. */
const galleryBikes = 8

const dateFormat = { dateStyle: 'long', timeZone: 'UTC' } as const

/** Links to other pages: path, title, description. */
const doors = [
  ['/docs/', 'Reference', 'Every endpoint, parameter, header and error.'],
  ['/openapi.json', 'OpenAPI 3.1', 'The same as a document, for generators of clients.'],
  ['/tokens/', 'Get a token', 'The key to version 2.1; a form with one field.'],
  ['/changelog/', 'Changelog', 'What has changed, version by version.'],
  ['/versioning/', 'Versioning policy', 'What may change, and how an end would be announced.']
] as const

/** Returns the home page; its snippets contain the origin of the request. */
export function homePage (catalogue: Catalogue, origin: string, settings: PageSettings & Pick<Settings, 'pageSize'>): string {
  const { featured: [first, ...others], updated, digest } = catalogue
  const main = html`<div class="hero">
<div>
<h1>Bicycles and their parts, as JSON</h1>
<p class="lead">A read-only catalogue that answers like the real service.
Build and test a client against it, on your own machine, with nothing to set up.</p>
<p class="buttons"><a class="button primary" href="/api/v1/bikes/?format=api">Browse the bikes</a>
<a class="button" href="/docs/">Read the reference</a></p>
</div>
!${first === undefined ? '' : html`<figure>!${picture(first, 'bike', catalogue, { isFirst: true })}</figure>`}
</div>
<section id="endpoints" aria-labelledby="endpoints-title"><h2 id="endpoints-title">Endpoints</h2>
!${endpoints(catalogue)}</section>
<section aria-labelledby="start"><h2 id="start">Start a client</h2>
!${snippets(origin)}</section>
!${gallery(others.slice(0, galleryBikes), { catalogue, settings })}<section aria-labelledby="more"><h2 id="more">More</h2>
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
  const pictured = (bike: ServedRecord) => html`!${picture(bike, 'bike', shown.catalogue, { alt: '' })}
<span><b>${nameOf(bike)}</b><span class="muted small">${fit(Bike, bike).category.name}</span></span>`
  return html`<section aria-labelledby="featured"><h2 id="featured">Featured bikes</h2>
<ul class="gallery">
!${bikes.map(bike => html`<li><a href="!${recordAddress(shown, 'bike', bike.id, 'featured')}">!${pictured(bike)}</a></li>
`)}</ul>
<p><a class="button" href="/api/v1/bikes/featured/?format=api">All featured bikes</a></p></section>
`
}

function endpoints (catalogue: Catalogue): string {
  return html`<div class="scroll"><table class="endpoints">
<thead><tr><th scope="col">Address</th><th scope="col" class="number">Records</th><th scope="col" class="wide">Ordering</th>
<th scope="col" class="wide">Cached</th><th scope="col">Access</th></tr></thead>
<tbody>
!${resources.map(resource => endpoint(resource, catalogue))}</tbody>
</table></div>
`
}

function endpoint ({ key, path, sortable, maxAge, access }: Resource, catalogue: Catalogue): string {
  const ordering = sortable.length > 2 ? `${sortable.length} fields` : sortable.join(', ')
  return html`<tr>
<td><a href="${path}?format=api"><code>${path}</code></a></td>
<td class="number">${catalogue[key].length}</td>
<td class="wide muted">${ordering || 'none'}</td>
<td class="wide muted">${maxAge === null ? 'asks each time' : `${maxAge / 60} minutes`}</td>
<td><span class="tag tag-${access}">${access}</span></td>
</tr>
`
}

/** Returns code samples in three languages. */
function snippets (origin: string): string {
  const address = `${origin}/api/v1/bikes/`
  const clients = [
    ['curl', curlLine({ address })],
    ['fetch', `const answer = await fetch(
  '${address}'
)
const bikes = await answer.json()
console.log(bikes[0].title)`],
    ['Python', `import requests

bikes = requests.get(
    '${address}'
).json()
print(bikes[0]['title'])`]
  ] as const
  return html`<div class="snippets">
!${clients.map(([name, text]) => html`<div data-copy-beside><h3>${name}</h3>
<pre class="code" data-copy="the ${name} snippet">${text}</pre></div>
`)}</div>
`
}
