import { html } from 'ghtml'
import { counted } from '../base/text.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { dataDirectory } from '../package.ts'
import { resources, servedResource, type Resource } from '../lists/resources.ts'
import { developmentTokenOf } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import { layout } from './layout.ts'
import { commandLine, detailedCurl, snippets } from './snippets.ts'
import { imagesOf, recordAddress, recordImage, recordName } from './value.ts'

const stripBikes = 8

/** Returns the home page; its snippets contain the origin of the request. */
export function homePage (catalogue: Catalogue, origin: string, settings: Settings): string {
  const offer = settings.simulate ? ' Ask it for errors, delays and odd data.' : ''
  const main = html`<div class="head">
<h1>Bicycles and their parts, as JSON</h1>
<p class="lead">A mock server for one existing web service.!${offer}</p>
!${servedLine(catalogue, settings)}
<p class="buttons"><a class="button primary" href="/api/v1/bikes/?format=api">Browse the bikes</a>
!${settings.simulate ? '<a class="button" href="/__simulate">Make it fail</a>' : ''}</p>
</div>
!${imageStrip(catalogue, settings)}!${listsSection(catalogue, settings)}!${clientSection(origin, settings)}`
  return layout({ title: '', path: '/', main, settings })
}

const dayOf = (date: Date) => date.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** A fact about the server, and the page that says how to change it. */
type Fact = { text: string, address: string }

/** Describes the data and the settings that are served; built-in data, a copy and a recording apart. */
function servedLine (catalogue: Catalogue, settings: Settings): string {
  const simulation: Fact = { text: 'simulation on', address: '/__simulate' }
  if (settings.upstream !== undefined) {
    const text = `Serving the real data of ${hostIn(settings.upstream)}`
    return factList([{ text, address: '/docs/guides/simulate/' }, simulation])
  }
  const { paginate, pageSize } = servedResource(resources[0] as Resource, settings, catalogue)
  const pages = {
    'on-request': 'lists unpaged by default',
    always: `lists in pages of ${pageSize}`,
    never: 'lists always unpaged'
  }
  const { isRecorded, recordedFrom, updated } = catalogue
  const own = settings.data === dataDirectory ? 'built-in data' : 'a copy of the data'
  const source = recordedFrom === undefined ? '' : ` of ${hostIn(recordedFrom)}`
  const data = isRecorded
    ? { text: `recording${source}, ${dayOf(updated)}`, address: '/docs/guides/record-and-verify/' }
    : { text: own, address: '/docs/guides/own-data/' }
  const clientSettings = '/docs/reference/settings/#clients'
  const facts: Fact[] = [
    { text: `Serving ${counted(catalogue.bikes.length, 'bike')}`, address: '#lists' },
    data,
    { text: pages[paginate], address: clientSettings },
    { text: `rate limit ${settings.rateLimit ? 'on' : 'off'}`, address: clientSettings }
  ]
  if (settings.overlay !== undefined) facts.splice(2, 0, { text: 'an overlay', address: '/docs/guides/own-data/' })
  if (settings.simulate) facts.push(simulation)
  return factList(facts)
}

const factList = (facts: readonly Fact[]) => html`<ul class="served">
!${facts.map(({ text, address }) => html`<li><a href="${address}">${text}</a></li>
`)}</ul>`

const hostIn = (address: string) => URL.canParse(address) ? new URL(address).host : address

/** Shows the images of the first bikes, each with a link to its record; empty with the data of an upstream. */
function imageStrip (catalogue: Catalogue, { upstream }: Settings): string {
  if (upstream !== undefined) return ''
  const items: string[] = []
  for (const bike of catalogue.bikes.slice(0, stripBikes)) {
    const [address] = imagesOf(bike, 'bikes', catalogue)
    if (bike.id === undefined || address === undefined) continue
    items.push(html`<li><a href="${recordAddress(catalogue, 'bikes', bike.id)}">
!${recordImage(address, catalogue, { alt: recordName(bike) })}</a></li>
`)
  }
  return items.length === 0
    ? ''
    : html`<ul class="strip">
!${items}</ul>
`
}

/** Shows the lists; their counts, date and digest only if the data is this server's. */
function listsSection (catalogue: Catalogue, { upstream }: Settings): string {
  const { updated, digest } = catalogue
  const isOwn = upstream === undefined
  const rows = resources.map(({ key, path, about, access }) => {
    const tag = access === 'token' ? ' <span class="tag tag-token">token</span>' : ''
    const count = html`<td class="number">${catalogue[key].length}</td>`
    return html`<tr>
<td><a href="${path}?format=api"><code>${path}</code></a>!${tag}</td>
!${isOwn ? count : ''}
<td class="wide muted">${about}</td>
</tr>
`
  })
  const state = html`<p class="small muted">Updated
<time datetime="${updated.toISOString()}">${dayOf(updated)}</time>. Digest <code>${digest}</code></p>
`
  return html`<section aria-labelledby="lists"><h2 id="lists">Lists</h2>
<div class="scroll"><table class="lists">
<thead><tr><th scope="col">List</th>!${isOwn ? '<th scope="col" class="number">Records</th>' : ''}
<th scope="col" class="wide">Content</th></tr></thead>
<tbody>
!${rows}</tbody>
</table></div>
!${isOwn ? state : ''}</section>
`
}

/** Returns what a client needs: the base URL, a request in several languages, and one with the token of `dev`. */
function clientSection (origin: string, settings: Settings): string {
  const token = developmentTokenOf(settings)
  const request = { method: 'GET', target: '/api/v1/bikes/', origin, needsToken: false }
  const withToken = token === undefined
    ? ''
    : html`<div class="titled base"><div class="over"><h3>Version 2.1</h3></div>
!${commandLine(detailedCurl(origin, token), 'the command of version 2.1')}</div>
`
  return html`<section aria-labelledby="start"><h2 id="start">Start a client</h2>
<div class="titled base"><div class="over"><h3>Base URL</h3></div>
!${commandLine(origin, 'the base URL')}</div>
!${snippets(request)}!${withToken}<p>For client generators: <a href="/openapi.json">OpenAPI 3.1</a>.
For readers: <a href="/docs/">documents</a>.</p></section>`
}
