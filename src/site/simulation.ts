import { html } from 'ghtml'
import { curlLine } from '../client/curl.ts'
import { resources } from '../lists/resources.ts'
import type { LoggedRequest } from '../simulation/request-log.ts'
import { asHeader, asQuery, parameterOf, preferenceNames, preferences, withNeeded, type PreferenceName } from '../simulation/preferences.ts'
import type { Rule } from '../simulation/rule.ts'
import type { CompiledRule } from '../simulation/rules.ts'
import { commandLine, ownAddress } from './exchange.ts'
import { assets, layout, type PageSettings } from './layout.ts'

/** A list: its path and query without `format`, and its origin. */
type List = { target: string, origin: string, needsToken: boolean }

/** Returns the simulations of a list: a link and a command with the header for each value, in brief one command a preference. */
export function tryItPanel (list: List, isBrief = false): string {
  return html`<details class="trials"><summary>Try an error, a delay, an example, a fault</summary>
!${preferenceNames.map(name => (isBrief ? briefly : inFull)(name, list))}</details>
`
}

function inFull (name: PreferenceName, list: List): string {
  return html`<section><h2>${name}</h2>
<p class="small muted">${preferences[name].effect}</p>
<ul>!${[...preferences[name].values].map(([value, means]) =>
    html`<li>!${link(name, value, list)} <span class="small">${means}</span>!${command(name, value, list)}</li>
`)}</ul></section>
`
}

function briefly (name: PreferenceName, list: List): string {
  const values = [...preferences[name].values.keys()]
  return html`<p><b>${name}</b> !${values.map(value => link(name, value, list)).join(' ')}</p>
!${values.slice(0, 1).map(value => command(name, value, list))}`
}

function command (name: PreferenceName, value: string, { target, origin, needsToken }: List): string {
  const headers = { Prefer: asHeader(withNeeded(name, value)) }
  return commandLine(curlLine({ address: origin + target, token: needsToken || undefined, headers }))
}

function link (name: PreferenceName, value: string, { target }: List): string {
  // As JSON, because browsers repair truncated HTML.
  const format = name === 'fault' ? 'json' : 'api'
  const separator = target.includes('?') ? '&' : '?'
  return html`<a href="${ownAddress(target)}!${separator}format=${format}&!${asQuery(withNeeded(name, value))}">${value}</a>`
}

/** The section of the reference on simulation, which is not part of the contract. */
export function simulationSection (): string {
  return html`<section><h2 id="simulation">Simulation</h2>
<p class="gap">This server simulates errors, delays and faults; the real one does not.
Request them with the header <code>Prefer</code>, or with a parameter where a header cannot be added; several combine.
<code>Preference-Applied</code> lists the preferences that were applied.</p>
<dl class="parameters">
!${preferenceNames.map(name => html`<div><dt><code>${name}</code><span class="small muted">or <code>${parameterOf(name)}</code></span></dt>
<dd><p>${preferences[name].effect}</p><p class="muted small">${preferences[name].expects}</p></dd></div>
`)}</dl></section>
`
}

const ruleButtons: readonly (readonly [label: string, effect: Partial<Rule>])[] = [
  ...[503, 401, 429, 500].map(code => [String(code), { code }] as const),
  ['3 s late', { delay: 3_000 }], ['empty list', { example: 'empty' }], ['odd record', { example: 'odd' }],
  ['reset', { fault: 'reset' }], ['truncated', { fault: 'truncate' }]
]

/** The most requests and the most rules that the page shows; JSON has all of them. */
const maxRows = 100

/** The rules and requests, oldest first, and whether images are shown. */
type Shown = { rules: readonly CompiledRule[], recorded: readonly LoggedRequest[], hasImages: boolean }

/** Returns the page that adds rules by a press and shows requests and rules, newest first; a script keeps both up to date. */
export function simulatePage (path: string, origin: string, { rules, recorded, hasImages }: Shown, settings: PageSettings): string {
  const requests = recorded.filter(({ isPage, target }) => !isPage && (hasImages || !target.startsWith('/media/')))
  const body = JSON.stringify({ path: '/api/v1/bikes/', code: 503, times: 1 })
  const main = html`<link rel="stylesheet" href="${assets.simulateStyle.path}">
<script type="module" src="${assets.simulateScript.path}"></script>
<h1 class="hidden">Simulation</h1>
<div class="presses" data-scripted>
<p class="sentence">The next <input id="times" type="number" min="1" max="1000000" value="1" required aria-label="Number of requests">
requests of <select id="path" aria-label="List">
!${resources.map(list => html`<option value="${list.path}">${list.shortName}</option>
`)}<option value="/api/*">all lists</option>
</select> get:</p>
<div class="buttons" role="group" aria-label="Add a rule">
!${ruleButtons.map(([label, effect]) => html`<button type="button" data-rule="${JSON.stringify(effect)}">${label}</button>
`)}</div>
<p class="small" role="status"></p>
</div>
<noscript><div class="exchange"><p>The buttons need a script. A command adds a rule too:</p>
!${commandLine(`${curlLine({ address: origin + path, headers: { 'Content-Type': 'application/json' } })} -d '${body}'`)}</div></noscript>
<section aria-labelledby="requests"><div class="over"><h2 id="requests">Requests</h2>
<p class="small"><a href="${path}!${hasImages ? '' : '?images'}">${hasImages ? 'Hide images' : 'Show images too'}</a>
<a href="${path}?format=json">JSON</a></p></div>
<div id="requests-rows" data-live>
!${rows(requests, requestRow, 'No requests yet. Those of an app appear here; pages of this server are left out.')}</div></section>
<section aria-labelledby="rules"><div class="over"><h2 id="rules">Rules</h2>
<button type="button" class="slim" data-delete data-scripted>Delete rules and requests</button></div>
<div id="rules-rows" data-live>
!${rows(rules, ruleRow, 'No rules: every request gets the plain response.')}</div></section>`
  return layout({ title: 'Simulation · Bicycle Catalogue', path, main, settings })
}

function rows<Row> (all: readonly Row[], row: (value: Row) => string, none: string): string {
  if (all.length === 0) return html`<p class="muted">${none}</p>`
  const more = html`<p class="small muted">The newest ${maxRows} of ${all.length}; the JSON has all.</p>`
  return html`<ol class="log">
!${all.slice(-maxRows).reverse().map(row)}</ol>
!${all.length > maxRows ? more : ''}`
}

function requestRow ({ time, method, target, simulated, ...kept }: LoggedRequest): string {
  const { text, kind } = resultOf(kept)
  return html`<li><time class="muted" datetime="${time}">${new Date(time).toTimeString().slice(0, 8)}</time>
<span><span class="status status-${kind}">${text}</span></span>
<code><b>${method}</b> ${target}</code>
!${simulated === null ? '' : html`<span class="why">${simulated}</span>`}</li>
`
}

/** Returns the result of a request, and the first digit of a status with the same colour. */
function resultOf ({ status, outcome }: Pick<LoggedRequest, 'status' | 'outcome'>) {
  if (outcome === 'cut' || outcome === 'short') return { text: outcome, kind: 5 }
  if (status === null) return { text: 'no response', kind: 0 }
  return outcome === 'late' && status < 400 ? { text: outcome, kind: 4 } : { text: String(status), kind: Math.floor(status / 100) }
}

function ruleRow ({ counted: { id, method = '', path, query = {}, times, used }, effect }: CompiledRule): string {
  const parameters = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`
  return html`<li!${used >= Number(times) ? ' class="used-up"' : ''}><span class="muted">Rule ${id}</span>
<span class="small">used ${used}${times === undefined ? '' : ` of ${times}`}</span>
<code><b>${method}</b> ${path}${parameters}</code>
<span class="why">${effect || 'lets requests pass'}</span></li>
`
}
