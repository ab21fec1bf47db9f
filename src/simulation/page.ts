import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import { counted } from '../base/text.ts'
import { curlLine } from '../client/curl.ts'
import { resources } from '../lists/resources.ts'
import { commandLine } from '../site/exchange.ts'
import { assets, layout, type PageSettings } from '../site/layout.ts'
import { examples } from './examples.ts'
import { faults } from './faults.ts'
import type { Rule } from './rule.ts'
import type { LoggedRequest } from './request-log.ts'
import { isActive, type CompiledRule } from './rules.ts'

/** The effect of a fault, in a word or two. */
const labels = { reset: 'reset', empty: 'closed', truncate: 'truncated', drip: 'in pieces', malformed: 'malformed' }

type Button = readonly [label: string, effect: Partial<Rule>, means: string | undefined]

const meanings: Readonly<Record<string, string | undefined>> = {
  ...STATUS_CODES, ...faults, ...Object.fromEntries(Object.entries(examples).map(([name, { means }]) => [name, means]))
}

/** The buttons that add rules, in groups. */
const groups: Readonly<Record<string, readonly Button[]>> = {
  Errors: [401, 403, 404, 429, 500, 503].map((code): Button => [String(code), { code }, meanings[code]]),
  Slow: [['3 s late', { delay: 3_000 }, 'The response begins 3 seconds later.'], ['drip', { fault: 'drip' }, meanings['drip']]],
  Data: [
    ...([['empty', 'empty list'], ['one', 'one record'], ['odd', 'odd record'], ['random', 'random']] as const)
      .map(([example, label]): Button => [label, { example }, meanings[example]]),
    ['malformed JSON', { fault: 'malformed' }, meanings['malformed']]
  ],
  Connection: (['reset', 'empty', 'truncate'] as const).map((fault): Button => [labels[fault], { fault }, meanings[fault]])
}

/** The most requests, and the most rules, in the HTML page; JSON has all of them. */
const maxRows = 50

/** Rules and requests, oldest first, and whether to show images. */
type Shown = { rules: readonly CompiledRule[], recorded: readonly LoggedRequest[], hasImages: boolean }

/** Returns the HTML page with buttons that add rules, and with rules and requests, newest first; a script updates both. */
export function simulatePage (path: string, origin: string, { rules, recorded, hasImages }: Shown, settings: PageSettings): string {
  const requests = recorded.filter(({ target }) => hasImages || !target.startsWith('/media/'))
  const last = requests.at(-1)
  const body = JSON.stringify({ path: '/api/v1/bikes/', code: 503, times: 1 })
  const activeLast = [...rules.filter(rule => !isActive(rule)), ...rules.filter(isActive)]
  const main = html`<link rel="stylesheet" href="${assets.simulateStyle.path}">
<script type="module" src="${assets.simulateScript.path}"></script>
<div class="head"><h1>Simulation</h1>
<p class="lead">Make the next requests of your app fail.</p></div>
<div class="rule-buttons" data-scripted>
<p class="sentence">Next <input id="times" type="number" min="1" max="1000000" value="1" required aria-label="Number of requests">
<span id="noun">request</span> to <select id="path" aria-label="List"><option value="/api/*">all lists</option>
!${resources.map(list => html`<option value="${list.path}">${list.shortName}</option>
`)}</select>: <label><input id="always" type="checkbox"> until reset</label></p>
<div class="effects">!${Object.entries(groups).map(([name, buttons]) => html`<fieldset><legend>${name}</legend><div class="buttons">
!${buttons.map(([label, effect, means]) => html`<button type="button"
data-rule="${JSON.stringify(effect)}" title="${means}">${label}</button>
`)}</div></fieldset>`)}</div>
<p class="small" role="status"></p>
</div>
<noscript><p>The buttons need a script. A command adds a rule too:</p>
!${commandLine(`${curlLine({ address: origin + path, headers: { 'Content-Type': 'application/json' } })} -d '${body}'`)}</noscript>
<section aria-labelledby="rules"><div class="over"><h2 id="rules">Rules</h2>
<button type="button" class="slim" data-delete="rules" data-scripted>Delete rules</button></div>
<div id="rules-rows" data-live>
!${rows(activeLast, ruleRow, 'No rules: every request gets the plain response.')}</div>
<div class="command copied-text" hidden><pre id="text" tabindex="-1"></pre></div></section>
<section aria-labelledby="requests"><div class="over"><h2 id="requests">Requests</h2>
<p class="small"><a href="${path}!${hasImages ? '' : '?images'}">${hasImages ? 'Hide images' : 'Show images too'}</a>
<a href="${path}?format=json">JSON</a>
<button type="button" class="slim" data-delete="requests" data-scripted>Clear requests</button></p></div>
<div id="requests-rows" data-live>
!${rows(requests, requestRow, 'No requests yet. Those of an app appear here; pages of this server are left out.')}</div></section>`
  const activeRules = counted(rules.filter(isActive).length, 'rule')
  const state = [last && resultOf(last).text, rules.some(isActive) && `${activeRules} active`, 'Simulation', 'Bicycle Catalogue']
  return layout({ title: state.filter(Boolean).join(' · '), path, main, settings })
}

/** Shows the newest rows, and the number of older ones. */
function rows<Row> (all: readonly Row[], row: (value: Row) => string, none: string): string {
  if (all.length === 0) return html`<p class="muted">${none}</p>`
  const more = html`<p class="small muted">${all.length - maxRows} more are older. The JSON has them.</p>`
  return html`<ol class="log">
!${all.slice(-maxRows).reverse().map(row)}</ol>
!${all.length > maxRows ? more : ''}`
}

const milliseconds = (time: number) => `${Math.round(time).toLocaleString('en')} ms`

function requestRow (request: LoggedRequest): string {
  const { number, time, method, target, simulated, duration } = request
  const { text, done, kind } = resultOf(request)
  return html`<li><time class="muted" datetime="${time}">${new Date(time).toTimeString().slice(0, 8)}</time>
<span><span class="status status-${kind}">${text}</span> <span class="small">${done}</span></span>
<code><b>${method}</b> <span>${target}</span></code>
<span class="why">${simulated ?? ''}</span>
<span class="muted number">${duration === undefined ? '' : milliseconds(duration)}</span>
<button type="button" class="slim" id="fail-${number}" data-again data-scripted>Fail it next time</button></li>
`
}

/** Returns the result of a request, its simulation, and the class of statuses (2 to 5) with the same colour. */
function resultOf ({ status, fault, delay = 0 }: LoggedRequest) {
  const late = delay === 0 ? '' : `after ${milliseconds(delay)}`
  if (fault === 'reset' || fault === 'empty') return { text: labels[fault], done: late, kind: 5 }
  if (status === null) return { text: 'no response', done: '', kind: 0 }
  const done = [fault && labels[fault], late].filter(Boolean).join(' ')
  const isBroken = fault !== undefined && fault !== 'drip'
  return { text: String(status), done, kind: isBroken ? 5 : done !== '' && status < 400 ? 4 : Math.floor(status / 100) }
}

function ruleRow (rule: CompiledRule): string {
  const { counted: { id, method = '', path, query = {}, times, used, probability }, effect } = rule
  const parameters = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`
  const share = probability === undefined ? '' : `, probability ${probability}`
  return html`<li!${isActive(rule) ? '' : ' class="used-up"'}><span class="muted">Rule ${id}</span>
<span class="small">used ${used}${times === undefined ? '' : ` of ${times}`}</span>
<code><b>${method}</b> ${path}${parameters}</code>
<span class="why">${effect || 'lets requests pass'}${share}</span>
<span class="buttons" data-scripted><button type="button" class="slim" id="test-${id}" data-test="${id}">Copy as test</button>
<button type="button" class="slim" id="curl-${id}" data-curl="${id}">Copy as curl</button>
<button type="button" class="slim" id="delete-${id}" data-delete="${id}" aria-label="Delete rule ${id}">Delete</button></span></li>
`
}
