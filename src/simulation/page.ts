import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import { counted } from '../base/text.ts'
import { resources } from '../lists/resources.ts'
import { assets, layout, type PageSettings } from '../site/layout.ts'
import { codes } from './faults.ts'
import type { Rule } from './rule.ts'
import type { LoggedRequest } from './request-log.ts'
import { describeEffect, isUsedUp, type ActingRule } from './rules.ts'

/** The effect of a fault, in a word or two. */
const labels = { reset: 'reset', empty: 'closed', truncate: 'truncated', drip: 'in pieces', malformed: 'malformed' }

type Button = readonly [label: string, effect: Partial<Rule>, means: string]

const ofCode = (code: keyof typeof codes): Button => [String(code), { code }, STATUS_CODES[code] as string]

/** The buttons that add rules, in groups, each with the response that the app gets. */
const groups: Readonly<Record<string, readonly Button[]>> = {
  Errors: ([401, 403, 404, 429, 500, 503] as const).map(ofCode),
  Data: [
    ['empty list', { example: 'empty' }, 'no records'],
    ['one record', { example: 'one' }, 'the first record only'],
    ['odd record', { example: 'odd' }, 'null, empty and lowest values'],
    ['random', { example: 'random' }, '12 valid records unlike the data'],
    ['malformed JSON', { fault: 'malformed' }, 'JSON that breaks off']
  ],
  Slow: [
    ['3 s late', { delay: 3_000 }, 'the response begins after 3 s'],
    ['drip', { fault: 'drip' }, 'the body takes 3 s']
  ],
  Connection: [
    ['reset', { fault: 'reset' }, 'no response: reset'],
    ['empty', { fault: 'empty' }, 'no response: closed'],
    ['truncate', { fault: 'truncate' }, 'half of the body']
  ]
}

const button = ([label, effect, means]: Button) => html`<button type="button" class="effect"
data-rule="${JSON.stringify(effect)}"><b>${label}</b> <span>${means}</span></button>
`

/** The effects that "next time" offers; the first is the default. */
const nextTime = [...groups['Errors'] as Button[], ...groups['Slow'] as Button[], ...groups['Connection'] as Button[]]
  .sort(([a], [b]) => Number(b === '503') - Number(a === '503'))

/** The most requests, and the most rules, in the HTML page; JSON has all of them. */
const maxRows = 50

/** Rules and requests, oldest first, and whether to show images. */
type Shown = { rules: readonly ActingRule[], recorded: readonly LoggedRequest[], hasImages: boolean }

/** Returns the HTML page: the sentence that adds rules, active rules in the order in which they act, requests, and used-up rules. */
export function simulatePage (path: string, { rules, recorded, hasImages }: Shown, settings: PageSettings): string {
  const requests = recorded.filter(({ target }) => hasImages || !target.startsWith('/media/'))
  const active = rules.filter(rule => !isUsedUp(rule))
  const used = rules.filter(isUsedUp)
  const last = requests.at(-1)
  const main = html`<div class="head"><h1>Simulation</h1></div>
<form class="rule-buttons" data-scripted>
<p class="sentence"><select id="extent" aria-label="Which requests"><option value="next">The next</option>
<option value="every">Every</option></select>
<input id="times" type="number" min="1" max="1000000" value="1" required aria-label="Number of requests">
<span id="noun">request</span> to <select id="path" aria-label="List">!${resources.map(list => html`<option
value="${list.path}">${list.shortName}</option>
`)}<option value="/api/*">all lists</option><option value="/media/*">images</option></select> gets:</p>
<div class="effects">!${Object.entries(groups).map(([name, buttons]) => html`<fieldset><legend>${name}</legend><div class="buttons">
!${buttons.map(button)}</div>!${name === 'Connection' ? inBrowser : ''}</fieldset>`)}</div>
<details><summary>More …</summary><div class="fields">
<label class="field">Code <select id="code">!${Object.keys(codes).map(code => html`
<option value="${code}">${code} ${STATUS_CODES[code]}</option>`)}</select></label>
<label class="field">Retry-After, in seconds <input id="retry-after" type="number" min="1" max="3600" placeholder="1"></label>
<label class="field">Later by, in milliseconds <input id="delay" type="number" min="0" max="60000" placeholder="0"></label>
<label class="field">Body, as JSON, in place of an error <input id="body" placeholder="[]"></label>
<button type="submit">Add</button></div></details>
</form>
<p id="said" role="status" aria-atomic="false"></p>
<noscript><p>The buttons need a script. <a href="/docs/reference/simulation/#over-http">Commands</a> add rules too.</p></noscript>
<section aria-labelledby="rules"><div class="over"><h2 id="rules">Rules</h2>
<button type="button" class="slim" id="delete-rules" data-delete="rules" data-scripted>Delete rules</button></div>
<div id="rules-rows" data-live>
!${rows(active, ruleRow, 'No rules: every request gets the plain response.')}</div>
<div class="command copied-text" hidden><pre id="text" tabindex="-1"></pre></div></section>
<section aria-labelledby="requests"><div class="over"><h2 id="requests">Requests</h2>
<p class="small"><button type="button" class="slim" id="new" hidden></button>
<button type="button" class="slim" id="pause" aria-pressed="false" data-scripted>Pause</button>
<a href="${path}!${hasImages ? '' : '?images'}">${hasImages ? 'Hide images' : 'Show images'}</a>
<a href="${path}?format=json">JSON</a>
<button type="button" class="slim" data-delete="requests" data-scripted>Clear</button></p></div>
<div id="requests-rows" data-live>
!${rows(requests, requestRow, 'No requests yet. Those of an app appear here; pages of this server are left out.')}</div></section>
<div id="used-rows" data-live>!${used.length === 0 ? '' : usedUp(used)}</div>`
  const activeRules = counted(active.length, 'rule')
  const title = [last && resultOf(last).text, active.length > 0 && `${activeRules} active`, 'Simulation'].filter(Boolean).join(' · ')
  return layout({ title, path, main, settings, style: assets.simulateStyle, script: assets.simulateScript })
}

const usedUp = (used: readonly ActingRule[]) => html`<details class="used" id="used"><summary>${used.length} used up</summary>
!${rows(used, ruleRow, '')}<p><button type="button" class="slim" data-used="${used.map(({ id }) => id).join(' ')}"
data-scripted>Delete them</button></p></details>`

const inBrowser = html`<p class="small muted">In a browser's tab, these lead to its own error page; in an app,
<code>fetch</code> rejects.</p>`

/** Shows the newest rows, and the number of older ones. */
function rows<Row> (all: readonly Row[], row: (value: Row) => string, none: string): string {
  if (all.length === 0) return html`<p class="muted">${none}</p>`
  const more = html`<p class="small muted">${all.length - maxRows} more are older. The JSON has them.</p>`
  return html`<ol class="log">
!${all.slice(-maxRows).reverse().map(row)}</ol>
!${all.length > maxRows ? more : ''}`
}

/** Returns the headers by which a client may tell its requests apart, for a rule's `when`. */
const ownHeaders = (headers: LoggedRequest['headers']) =>
  Object.entries(headers).filter(([name, value]) => /^x-(?!forwarded-|real-)/.test(name) && value !== '*')

const milliseconds = (time: number) => `${Math.round(time).toLocaleString('en')} ms`

function requestRow (request: LoggedRequest): string {
  const { number, time, method, target, headers, simulated, duration, tries, advice } = request
  const own = ownHeaders(headers)
  const option = ([name, value]: typeof own[number]) => html`
<option value="${JSON.stringify({ [name]: value })}">${name}: ${value}</option>`
  const when = html`<select id="when-${number}" aria-label="Header for ${method} ${target}"><option value="">any headers</option>
!${own.map(option)}</select>
`
  const { text, done, kind } = resultOf(request)
  return html`<li><time class="muted" datetime="${time}">${new Date(time).toTimeString().slice(0, 8)}</time>
<span><span class="status status-${kind}">${text}</span> <span class="small">${done}</span></span>
<code><b>${method}</b> <span>!${target.split(/(?=&)/).map(part => html`<i>${part}</i>`)}</span></code>
<span class="why">${simulated ?? ''} ${tries > 1 ? `(sent ${tries} times)` : ''}
!${advice.map(({ id, text }) => html`<span class="advice"><b>${id}</b> ${text.replace(`${id}: `, '')}</span>`)}</span>
<span class="muted number">${duration === undefined ? '' : milliseconds(duration)}</span>
<span class="again" data-scripted><select id="effect-${number}" aria-label="Effect for ${method} ${target}">
!${nextTime.map(([label, effect]) => html`<option value="${JSON.stringify(effect)}">${label}</option>
`)}</select>
!${own.length === 0 ? '' : when}<button type="button" class="slim" id="fail-${number}" data-again
aria-label="next time, for ${method} ${target}">next time</button>
</span></li>
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

function ruleRow ({ id, used, rule }: ActingRule): string {
  const { method = '', path, query = {}, when = {}, times, probability } = rule
  const headers = Object.entries(when).map(([name, value]) => ` with ${name}${value === true ? '' : `: ${value}`}`)
  const parameters = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`
  const share = probability === undefined ? '' : `, probability ${probability}`
  return html`<li><span class="muted">Rule ${id}</span>
<span class="small"><i class="first"></i>used ${used}${times === undefined ? '' : ` of ${times}`}</span>
<code><b>${method}</b> ${path}${parameters}</code>
<span class="why">${describeEffect(rule) || 'lets requests pass'}${share}${headers}</span>
<span class="buttons" data-scripted><button type="button" class="slim" id="test-${id}" data-test="${id}">Copy as test</button>
<button type="button" class="slim" id="curl-${id}" data-curl="${id}">Copy as curl</button>
<button type="button" class="slim" id="delete-${id}" data-delete="${id}" aria-label="Delete rule ${id}">Delete</button></span></li>
`
}
