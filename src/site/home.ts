import { html } from 'ghtml'
import { counted } from '../base/text.ts'
import { curlLine } from '../client/curl.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { dataDirectory } from '../package.ts'
import { resources, servedResource, type Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { commandLine } from './exchange.ts'
import { layout, type PageSettings } from './layout.ts'
import { image, imagesOf, nameOf, recordAddress } from './value.ts'

const stripBikes = 8

type HomeSettings = PageSettings & Pick<Settings, 'data' | 'overlay' | 'paginate' | 'pageSize' | 'rateLimit'>

/** Returns the home page; its snippets contain the origin of the request. */
export function homePage (catalogue: Catalogue, origin: string, settings: HomeSettings): string {
  const { updated, digest } = catalogue
  const main = html`<div class="head">
<h1>Bicycles and their parts, as JSON</h1>
<p class="lead">A mock server for one existing web service. Ask it for errors, delays and odd data.</p>
!${servedLine(catalogue, settings)}
<p class="buttons"><a class="button primary" href="/api/v1/bikes/?format=api">Browse the bikes</a>
<a class="button" href="!${settings.simulate ? '/__simulate' : '/docs/reference/simulation/'}">Make it fail</a></p>
</div>
!${strip(catalogue)}
<section aria-labelledby="lists"><h2 id="lists">Lists</h2>
<div class="scroll"><table class="lists">
<thead><tr><th scope="col">List</th><th scope="col" class="number">Records</th><th scope="col" class="wide">Content</th></tr></thead>
<tbody>
!${resources.map(resource => listRow(resource, catalogue))}</tbody>
</table></div>
<p class="small muted">Updated <time datetime="${updated.toISOString()}">${dayOf(updated)}</time>. Digest <code>${digest}</code></p>
</section>
<section aria-labelledby="start"><h2 id="start">Start a client</h2>
!${snippets(`${origin}/api/v1/bikes/`)}
<p>For client generators: <a href="/openapi.json">OpenAPI 3.1</a>. For readers: <a href="/docs/">documents</a>.</p></section>`
  return layout({ title: '', path: '/', main, settings })
}

const dayOf = (date: Date) => date.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** Describes the data and the settings that are served, each with a link to the page that says how to change it. */
function servedLine (catalogue: Catalogue, settings: HomeSettings): string {
  const { paginate, pageSize } = servedResource(resources[0] as Resource, settings, catalogue)
  const pages = { 'on-request': 'pages on request', always: `pages of ${pageSize}`, never: 'no pages' }[paginate]
  const parts = [
    ['#lists', `Serving ${counted(catalogue.bikes.length, 'bike')}`],
    ...dataOf(catalogue, settings),
    ['/docs/reference/settings/#clients', pages],
    ['/docs/reference/settings/#clients', `limit ${settings.rateLimit ? 'on' : 'off'}`],
    settings.simulate ? ['/__simulate', 'simulation on'] : ['/docs/reference/settings/#mocking', 'simulation off']
  ]
  return html`<ul class="served">!${parts.map(([address, text]) => html`<li><a href="${address}">${text}</a></li>
`)}</ul>`
}

/** Tells built-in data, a copy, a recording and an overlay apart. */
function dataOf ({ isRecorded, recordedFrom, updated }: Catalogue, { data, overlay }: HomeSettings): string[][] {
  const source = recordedFrom === undefined ? '' : ` of ${URL.canParse(recordedFrom) ? new URL(recordedFrom).host : recordedFrom}`
  const base = isRecorded
    ? ['/docs/guides/record-and-verify/', `recording${source}, ${dayOf(updated)}`]
    : ['/docs/guides/own-data/', data === dataDirectory ? 'built-in data' : 'a copy of the data']
  return overlay === undefined ? [base] : [base, ['/docs/guides/own-data/', 'an overlay']]
}

/** Shows the images of the first bikes, each with a link to its record. */
function strip (catalogue: Catalogue): string {
  const bikes = catalogue.bikes.slice(0, stripBikes).map(bike => ({ bike, address: imagesOf(bike, 'bikes', catalogue)[0] }))
  const shown = bikes.filter(({ bike, address }) => address !== undefined && bike.id !== undefined)
  if (shown.length === 0) return ''
  return html`<ul class="strip">
!${shown.map(({ bike, address }) => html`<li><a href="${recordAddress(catalogue, 'bikes', bike.id)}">
!${image(address, catalogue, { alt: nameOf(bike) })}</a></li>
`)}</ul>`
}

function listRow ({ key, path, about, access }: Resource, catalogue: Catalogue): string {
  const tag = access === 'token' ? ' <span class="tag tag-token">token</span>' : ''
  return html`<tr>
<td><a href="${path}?format=api"><code>${path}</code></a>!${tag}</td>
<td class="number">${catalogue[key].length}</td>
<td class="wide muted">${about}</td>
</tr>
`
}

function snippets (address: string): string {
  const all = [
    ['curl', curlLine({ address })],
    ['fetch', `const response = await fetch(\n  '${address}'\n)\nconst bikes = await response.json()\nconsole.log(bikes[0].title)`],
    ['Python', `import requests\n\nbikes = requests.get(\n    '${address}'\n).json()\nprint(bikes[0]['title'])`]
  ] as const
  return html`<div class="snippets">
!${all.map(([name, text]) => html`<div class="titled"><div class="over"><h3>${name}</h3></div>
!${commandLine(text, `the ${name} snippet`)}</div>
`)}</div>
`
}
