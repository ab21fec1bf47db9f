import { html } from 'ghtml'
import { curlLine } from '../client/curl.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { dataDirectory, version } from '../package.ts'
import { resources, servedResource, type Resource } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { breakable, commandLine } from './exchange.ts'
import { layout, type PageSettings } from './layout.ts'
import { count, image, imagesOf, nameOf, recordAddress } from './value.ts'

const stripBikes = 8
const dateFormat = { dateStyle: 'medium', timeZone: 'UTC' } as const
const doors = [
  ['/docs/', 'Documents', 'Guides, every setting, and every field, parameter, status and header.'],
  ['/openapi.json', 'OpenAPI 3.1', 'The lists as a document, for client generators.'],
  ['/tokens/', 'Tokens', 'Version 2.1 needs a token; this form issues one.']
] as const

type HomeSettings = PageSettings & Pick<Settings, 'data' | 'overlay' | 'paginate' | 'pageSize' | 'rateLimit'>

/** Returns the home page; its snippets contain the origin of the request. */
export function homePage (catalogue: Catalogue, origin: string, settings: HomeSettings): string {
  const { updated, digest } = catalogue
  const address = `${origin}/api/v1/bikes/`
  const main = html`<div class="head">
<h1>Bicycles and their parts, as JSON</h1>
<p class="lead">A mock server for one existing web service. Ask it for errors, delays and odd data.</p>
!${servedLine(catalogue, settings)}
<p class="buttons"><a class="button primary" href="/api/v1/bikes/?format=api">Browse the bikes</a>
<a class="button" href="!${settings.simulate ? '/__simulate' : '#fail'}">Make it fail</a></p>
</div>
!${strip(catalogue)}
<section aria-labelledby="lists"><h2 id="lists">Lists</h2>
<div class="scroll"><table class="lists">
<thead><tr><th scope="col">List</th><th scope="col" class="number">Records</th><th scope="col" class="wide">Content</th></tr></thead>
<tbody>
!${resources.map(resource => listRow(resource, catalogue))}</tbody>
</table></div>
</section>
<section aria-labelledby="start"><h2 id="start">Start a client</h2>
!${snippets(clients(address))}</section>
!${settings.simulate ? failuresSection(address) : switchedOff}<section aria-labelledby="more"><h2 id="more">More</h2>
<ul class="doors">
!${doors.filter(([path]) => settings.tokenForm || path !== '/tokens/').map(([path, name, about]) => html`<li>
<h3><a href="${path}">${name}</a></h3><p>${about}</p></li>
`)}</ul>
<dl class="stamp"><div><dt>Version</dt><dd>${version}</dd></div>
<div><dt>Data updated</dt><dd><time datetime="${updated.toISOString()}">${dayOf(updated)}</time></dd></div>
<div><dt>Data digest</dt><dd><code>${digest}</code></dd></div>
</dl></section>`
  return layout({ title: 'Bicycle Catalogue', path: '/', main, settings })
}

const dayOf = (date: Date) => date.toLocaleDateString('en-GB', dateFormat)

/** Describes the data and the settings that are served, each with a link to the page that says how to change it. */
function servedLine (catalogue: Catalogue, settings: HomeSettings): string {
  const { paginate, pageSize } = servedResource(resources[0] as Resource, settings, catalogue)
  const pages = { 'on-request': 'pages on request', always: `pages of ${pageSize}`, never: 'no pages' }[paginate]
  const parts = [
    ['#lists', `Serving ${count(catalogue.bikes.length, 'bike')}`],
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
  return overlay === undefined ? [base] : [base, ['/docs/guides/own-data/#an-overlay', 'an overlay']]
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
<td><a href="${path}?format=api"><code>!${breakable(path)}</code></a>!${tag}</td>
<td class="number">${catalogue[key].length}</td>
<td class="wide muted">${about}</td>
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
!${all.map(([name, text]) => html`<div class="titled"><div class="over"><h3>${name}</h3></div>
!${commandLine(text, `the ${name} snippet`)}</div>
`)}</div>
`
}
