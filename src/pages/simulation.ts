import { html } from 'ghtml'
import { curlLine } from '#assets/curl.js'
import { askFor, parameterOf, preferenceNames, preferences, type PreferenceName } from '../simulation/preferences.ts'
import { commandLine, ownAddress } from './exchange.ts'

/** A list as it is shown: its path and query without a `format`, and its scheme and host. */
type Shown = { target: string, origin: string, needsToken: boolean }

/** What can be asked of a list where answers are simulated: each value as a link, and the command that asks for the same by header. */
export function trials (shown: Shown): string {
  return html`<details class="trials"><summary>Try an error, a delay, another list</summary>
!${preferenceNames.map(name => html`<section><h2>${name}</h2>
<p class="small muted">${preferences[name].effect}</p>
<ul>!${[...preferences[name].values].map(([value, means]) => trial(name, value, means, shown))}</ul></section>
`)}</details>
`
}

function trial (name: PreferenceName, value: string, means: string, { target, origin, needsToken }: Shown): string {
  const { header, query } = askFor(name, value)
  // A browser shows of a broken page what there is of it; broken JSON can be seen to be broken.
  const format = name === 'fault' ? 'json' : 'api'
  const link = `${ownAddress(target)}${target.includes('?') ? '&' : '?'}format=${format}&${query}`
  const command = curlLine({ address: origin + target, token: needsToken || undefined, headers: { Prefer: header } })
  return html`<li><a href="${link}">${value}</a> <span class="small">${means}</span>!${commandLine(command)}</li>
`
}

/** The section of the reference on what this server simulates for those who ask, which is no part of the contract. */
export function simulationSection (): string {
  return html`<section><h2 id="simulation">Simulation</h2>
<p class="gap">This server simulates what a client has to cope with; the real one knows nothing of it.
Ask with the header <code>Prefer</code>, or with a parameter where a header cannot be added; several combine.
<code>Preference-Applied</code> says what was obeyed.</p>
<dl class="parameters">
!${preferenceNames.map(name => html`<div><dt><code>${name}</code><span class="small muted">or <code>${parameterOf(name)}</code></span></dt>
<dd><p>${preferences[name].effect}</p><p class="muted small">${preferences[name].takes}</p></dd></div>
`)}</dl></section>
`
}
