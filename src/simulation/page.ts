import { STATUS_CODES } from 'node:http'
import { html } from 'ghtml'
import { groupBy } from '../base/group.ts'
import { counted } from '../base/text.ts'
import { resources } from '../lists/resources.ts'
import type { Settings } from '../settings/settings.ts'
import { assets, layout } from '../site/layout.ts'
import { examples } from './examples.ts'
import { codes, type Fault, faultOf, faults } from './faults.ts'
import type { Effect, Rule } from './rule.ts'
import { factsOf, type Facts, type LoggedRequest } from './request-log.ts'
import { describeEffect, isActive, isLimited, isUsedUp, maxUses, type ActingRule } from './rules.ts'

/** A button that adds a rule, and the response that the app gets. */
type EffectButton = { label: string, effect: Effect, means: string }

const errorButtons = ([503, 401, 403, 404, 429, 500] as const).map((code): EffectButton => {
  return { label: String(code), effect: { code }, means: STATUS_CODES[code] as string }
})

/** The buttons of the faults in a group. */
function faultButtons (group: string): readonly EffectButton[] {
  const rows = Object.entries(faults).filter(([, row]) => row.group === group)
  return rows.map(([fault, { label, means }]) => ({ label, effect: { fault: fault as Fault }, means }))
}

const delayButton = { label: '3 s delay', effect: { delay: 3_000 }, means: 'the response begins after 3 s' }

/** The buttons in their groups. */
const buttonGroups: readonly (readonly [name: string, buttons: readonly EffectButton[]])[] = [
  ['Errors', errorButtons.toSorted((a, b) => Number(a.label) - Number(b.label))],
  ['Data', [
    ...Object.entries(examples).map(([example, { label, means }]) => {
      return { label, effect: { example: example as keyof typeof examples }, means }
    }),
    ...faultButtons('Data')
  ]],
  ['Slow', [delayButton, ...faultButtons('Slow')]],
  ['Connection', faultButtons('Connection')]
]

/** The effects of "Fail next time"; the first is the default. */
const nextTime: readonly EffectButton[] = [
  ...errorButtons, delayButton, ...faultButtons('Slow'), ...faultButtons('Connection')
]

/** The most rows of requests, and the most rules, in the HTML page; JSON has all of them. */
const maxRows = 50

/** The most earlier requests of a row in the HTML page. */
const maxEarlier = 10

/** Rules and requests, oldest first, and whether to show images. */
type Shown = {
  rules: readonly ActingRule[]
  recorded: readonly LoggedRequest[]
  /** The number of requests that are no longer kept. */
  dropped: number
  hasImages: boolean
}

/**
 * Returns the HTML page: the sentence that adds rules, active rules in the order in which they act, requests, and
 * used-up rules.
 */
export function simulatePage (shown: Shown, settings: Settings): string {
  const { rules, recorded, hasImages } = shown
  const realData = html`<p>Lists and images come from <code>${settings.upstream}</code>.</p>`
  const requests = recorded.filter(({ target }) => hasImages || !target.startsWith('/media/'))
  const unused = rules.filter(rule => !isUsedUp(rule))
  const active = rules.filter(isActive)
  const last = requests.at(-1)
  const title = ['Simulation']
  if (active.length > 0) title.unshift(`${counted(active.length, 'rule')} active`)
  if (last !== undefined) title.unshift(outcomeOf(last).text)
  const rows = html`!${rulesSection(unused)}
!${requestsSection(requests, shown)}
<div id="used-rows" data-live>!${usedUpRules(rules.filter(isUsedUp))}</div>`
  const main = html`<div class="head"><h1>Simulation</h1>!${settings.upstream === undefined ? '' : realData}</div>
!${ruleForm}
<p id="said" role="status" aria-atomic="false"></p>
!${scriptNote}
!${rows}`
  return layout({
    title: title.join(' · '),
    path: '/__simulate',
    main,
    settings,
    style: assets.simulateStyle,
    script: assets.simulateScript
  })
}

const scriptNote = html`<noscript><p>The buttons need a script.
<a href="/docs/reference/simulation/#over-http">Commands</a> add rules too.</p></noscript>`

const inBrowser = html`<p class="small muted">A browser shows its own error page; <code>fetch</code> rejects.</p>`

const effects = buttonGroups.map(([name, buttons]) => html`<fieldset>
<legend>${name}</legend><div class="buttons">
!${buttons.map(({ label, effect, means }) => html`<button type="button" class="effect"
data-rule="${JSON.stringify(effect)}"><b>${label}</b> <span>${means}</span></button>
`)}</div>!${name === 'Connection' ? inBrowser : ''}</fieldset>`)

const optionOf = (value: string | number, text: string) => html`<option value="${value}">${text}</option>
`

const listOptions = resources.map(({ path, shortName }) => optionOf(path, shortName))

const ruleSentence = html`<p class="sentence">
<select id="extent" aria-label="Which requests"><option value="next">The next</option>
<option value="every">Every</option></select>
<input id="times" type="number" min="1" max="1000000" value="1" required aria-label="Number of requests">
<span id="noun">request</span> to <select id="path" aria-label="List">!${listOptions}
<option value="/api/*">all lists</option><option value="/media/*">images</option></select> gets:</p>
`

const codeOptions = Object.keys(codes).map(code => optionOf(code, `${code} ${STATUS_CODES[code]}`))

const moreFields = html`<details id="more"><summary>More &hellip;</summary><div class="fields">
<label class="field">Code <select id="code">!${codeOptions}</select></label>
<label class="field">Retry-After, in seconds
<input id="retry-after" type="number" min="1" max="3600" placeholder="1"></label>
<label class="field">Delay, in milliseconds <input id="delay" type="number" min="0" max="60000" placeholder="0"></label>
<label class="field">Custom JSON body, in place of an error <input id="body" placeholder="[]"></label>
<button type="submit">Add</button></div></details>
`

/** The form that adds rules; it is the same for every request. */
const ruleForm = html`<form class="rule-buttons" data-scripted>
!${ruleSentence}<div class="effects">!${effects}</div>
!${moreFields}</form>`

function rulesSection (rules: readonly ActingRule[]): string {
  const rows = newestRows(rules, ruleRow, 'No rules: every request gets the plain response.')
  return html`<section aria-labelledby="rules"><div class="over"><h2 id="rules">Rules</h2>
<p class="small"><button type="button" class="slim" id="copy-rules" data-file data-scripted>Copy as rules file</button>
<button type="button" class="slim" id="delete-rules" data-delete="rules" data-scripted>Delete rules</button></p></div>
<div id="rules-rows" data-live>
!${rows}</div>
<div class="command copied-text" hidden><pre id="text" tabindex="-1"></pre></div></section>`
}

const hideImages = '<a href="/__simulate">Hide images</a>'
const showImages = '<a href="/__simulate?images">Show images</a>'

const noRequests = 'No requests yet. Those of an app appear here; pages of this server are left out.'

function requestsSection (requests: readonly LoggedRequest[], { rules, dropped, hasImages }: Shown): string {
  const gone = html`<p class="small muted">${counted(dropped, 'older request')} no longer kept.</p>`
  const rows = newestRows(groupsOf(requests, rules), groupRow, noRequests)
  return html`<section aria-labelledby="requests"><div class="over"><h2 id="requests">Requests</h2>
<p class="small"><button type="button" class="slim" id="new" hidden></button>
<button type="button" class="slim" id="pause" aria-pressed="false" data-scripted>Pause</button>
!${hasImages ? hideImages : showImages}
<a href="/__simulate?format=json">JSON</a>
<button type="button" class="slim" data-delete="requests" data-scripted>Clear</button></p></div>
<div id="requests-rows" data-live>
!${rows}!${dropped > 0 ? gone : ''}</div></section>`
}

function usedUpRules (used: readonly ActingRule[]): string {
  if (used.length === 0) return ''
  const ids = used.map(({ id }) => id).join(' ')
  const rows = newestRows(used, ruleRow, '')
  return html`<details class="used" id="used"><summary>${used.length} used up</summary>
!${rows}<p><button type="button" class="slim" data-used="${ids}" data-scripted>Delete them</button></p></details>`
}

/** Shows the newest rows, and the number of older ones. */
function newestRows<Item> (all: readonly Item[], rowOf: (item: Item) => string, none: string): string {
  if (all.length === 0) return html`<p class="muted">${none}</p>`
  const older = html`<p class="small muted">${all.length - maxRows} more are older. The JSON has them.</p>`
  return html`<ol class="log">
!${all.slice(-maxRows).reverse().map(rowOf)}</ol>
!${all.length > maxRows ? older : ''}`
}

/** Successive requests for a target with the same outcome, oldest first. */
type RequestGroup = {
  first: LoggedRequest
  latest: LoggedRequest
  earlier: LoggedRequest[]
  /** Facts about each. */
  facts: readonly string[]
  /** A rule for both of two requests that were sent at once. */
  twinRule: Rule | undefined
}

/** Groups requests by their targets and outcomes, the group with the newest request last. */
function groupsOf (requests: readonly LoggedRequest[], rules: readonly ActingRule[]): RequestGroup[] {
  const groups: RequestGroup[] = []
  const allFacts = factsOf(requests)
  for (const ofTarget of groupBy(requests, ({ method, target }) => `${method} ${target}`).values()) {
    let last = ''
    for (const request of ofTarget) {
      const { fault, simulated, advice, limitedRule } = request
      const { texts: facts, again } = allFacts.get(request) as Facts
      const key = JSON.stringify([outcomeOf(request).text, fault, simulated, advice, facts])
      const group = groups.at(-1)
      if (key === last && group !== undefined) {
        group.earlier.push(group.latest)
        group.latest = request
      } else {
        const isFailedAlone = again !== undefined && again.limitedRule !== limitedRule
        const rule = isFailedAlone ? rules.find(({ id }) => id === limitedRule)?.rule : undefined
        const twinRule = rule === undefined || rule.sequence !== undefined ? undefined : { ...rule, times: 2 }
        groups.push({ first: request, latest: request, earlier: [], facts, twinRule })
      }
      last = key
    }
  }
  return groups.sort((a, b) => a.latest.number - b.latest.number)
}

const inMilliseconds = (time: number) => `${Math.round(time).toLocaleString('en')} ms`

/** Shows the latest of successive requests with the same outcome; the earlier ones unfold. */
function groupRow ({ first, latest, earlier, facts, twinRule }: RequestGroup): string {
  const { method, target, simulated, advice } = latest
  const parts = target.split(/(?=[?&])/).map(part => html`<i>${part}</i>`)
  const reasons = [simulated ?? '', ...facts].filter(text => text !== '').join('; ')
  const code = html`<code><b>${method}</b> <span>!${parts}</span></code>
<span class="why">${reasons} !${advice.map(({ text }) => html`<span class="advice">${text}</span>`)}</span>`
  const summary = html`!${requestParts(latest, code)}
<span class="times">${earlier.length > 0 ? `× ${earlier.length + 1}` : ''}</span>`
  const rows = earlier.slice(-maxEarlier).reverse()
    .map(request => html`<li>!${requestParts(request, '<span></span>')}</li>
`)
  const details = html`<details id="group-${first.number}"><summary>!${summary}</summary>
<ol class="earlier">!${rows}</ol></details>`
  return html`<li>!${earlier.length > 0 ? details : html`<div class="summary">!${summary}</div>`}
!${failAgain(latest, first.number, twinRule)}</li>
`
}

/** Shows the time of a request, its response, and the duration. */
function requestParts (request: LoggedRequest, code: string): string {
  const { time, arrivedAt, endedAt } = request
  const clock = new Date(time).toTimeString().slice(0, 8)
  const took = endedAt === undefined ? '' : inMilliseconds(endedAt - arrivedAt)
  const { text, done, kind } = outcomeOf(request)
  return html`<time class="muted" datetime="${time}">${clock}</time>
<span><span class="status status-${kind}">${text}</span> <span class="small">${done}</span></span>
!${code}<span class="muted number">${took}</span>`
}

const ownHeader = /^x-(?!(?:forwarded|real)-)/

const effectOptions = nextTime.map(({ label, effect }) => optionOf(JSON.stringify(effect), label))

/** Returns the controls that fail the next request for a target. */
function failAgain (latest: LoggedRequest, id: number, twinRule: Rule | undefined): string {
  const { method, target, headers, number } = latest
  const request = `${method} ${target}`
  const words = 'Fail next time'
  // Those by which a client may tell its requests apart.
  const own = Object.entries(headers).filter(([name, value]) => ownHeader.test(name) && value !== '*')
  const options = own.map(([name, value]) => optionOf(JSON.stringify({ [name]: value }), `${name}: ${String(value)}`))
  const headerSelect = html`<select id="when-${id}"
aria-label="Header for ${request}"><option value="">any headers</option>
!${options}</select>
`
  const nextTwo = html`<button type="button" class="slim"
data-post="${JSON.stringify(twinRule)}">Choose the next 2</button>
`
  return html`<span class="again" data-scripted><select id="effect-${id}" aria-label="Effect for ${request}">
!${effectOptions}</select>
!${options.length > 0 ? headerSelect : ''}<button type="button" class="slim" id="fail-${id}"
data-again="${number}" aria-label="${words}: ${request}">${words}</button>
!${twinRule === undefined ? '' : nextTwo}</span>`
}

/** What a request got, its simulation, and the class of statuses (2 to 5) with the same colour. */
type Outcome = { text: string, done: string, kind: number }

function outcomeOf ({ status, fault, delay = 0, cut }: LoggedRequest): Outcome {
  const late = delay === 0 ? '' : `after ${inMilliseconds(delay)}`
  const { cut: cutsConnection, duration, label = '' } = faultOf(fault)
  if (cutsConnection !== undefined) return { text: label, done: late, kind: 5 }
  if (status === null) return { text: 'no response', done: '', kind: 0 }
  if (cut !== undefined) return { text: String(status), done: `cut: ${cut}`, kind: 5 }
  const done = `${label} ${late}`.trim()
  const isBroken = fault !== undefined && duration === undefined
  const isOnlyLate = done !== '' && status < 400
  return { text: String(status), done, kind: isBroken ? 5 : isOnlyLate ? 4 : Math.floor(status / 100) }
}

function ruleRow (acting: ActingRule): string {
  const { id, used, rule } = acting
  const limit = isLimited(acting) ? ` of ${maxUses(acting)}` : ''
  const off = rule.enabled === false ? html` <span class="waits">not enabled</span>` : ''
  return html`<li><span class="muted">Rule ${id}</span>
<span class="small"><i class="first"></i>used ${used}${limit}!${off}</span>
<code><b>${rule.method ?? ''}</b> ${rule.path}</code>
<span class="why">${whatItDoes(rule)}</span>
<span class="buttons" data-scripted>
<button type="button" class="slim" id="test-${id}" data-test="${id}">Copy as test</button>
<button type="button" class="slim" id="curl-${id}" data-curl="${id}">Copy as curl</button>
<button type="button" class="slim" id="delete-${id}" data-delete="${id}"
aria-label="Delete rule ${id}">Delete</button></span></li>
`
}

/** Describes a rule: its name, its effects and its conditions. */
function whatItDoes (rule: Rule): string {
  const { name, sequence, probability, query = {}, when = {} } = rule
  const steps = sequence?.map(effect => describeEffect(effect) || 'no change')
  const texts = [steps?.join('; then ') ?? (describeEffect(rule) || 'lets requests pass')]
  if (name !== undefined) texts.unshift(`${name}: `)
  if (probability !== undefined) texts.push(`, probability ${probability}`)
  for (const [condition, value] of [...Object.entries(query), ...Object.entries(when)]) {
    const isAbstract = value === true || value === null
    texts.push(value === null ? ' without ' : ' with ', isAbstract ? condition : `${condition}: ${value}`)
  }
  return texts.join('')
}
