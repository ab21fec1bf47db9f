import { html } from 'ghtml'
import { curlLine } from '../http/curl.ts'
import { asHeader, asQuery, parameterOf, preferenceNames, preferences, withNeeded, type PreferenceName } from '../simulation/preferences.ts'
import { commandLine, ownAddress } from './exchange.ts'

/** A list: its path and query without `format`, and its origin. */
type Shown = { target: string, origin: string, needsToken: boolean }

/** Returns the simulations of a list: a link and a command with the header for each value, in brief one command a preference. */
export function trials (shown: Shown, isBrief = false): string {
  return html`<details class="trials"><summary>Try an error, a delay, an example, a fault</summary>
!${preferenceNames.map(name => (isBrief ? briefly : inFull)(name, shown))}</details>
`
}

function inFull (name: PreferenceName, shown: Shown): string {
  return html`<section><h2>${name}</h2>
<p class="small muted">${preferences[name].effect}</p>
<ul>!${[...preferences[name].values].map(([value, means]) =>
    html`<li>!${link(name, value, shown)} <span class="small">${means}</span>!${command(name, value, shown)}</li>
`)}</ul></section>
`
}

function briefly (name: PreferenceName, shown: Shown): string {
  const values = [...preferences[name].values.keys()]
  return html`<p><b>${name}</b> !${values.map(value => link(name, value, shown)).join(' ')}</p>
!${values.slice(0, 1).map(value => command(name, value, shown))}`
}

function command (name: PreferenceName, value: string, { target, origin, needsToken }: Shown): string {
  const headers = { Prefer: asHeader(withNeeded(name, value)) }
  return commandLine(curlLine({ address: origin + target, token: needsToken || undefined, headers }))
}

function link (name: PreferenceName, value: string, { target }: Shown): string {
  // As JSON, because browsers repair truncated HTML.
  const format = name === 'fault' ? 'json' : 'api'
  const separator = target.includes('?') ? '&' : '?'
  return html`<a href="${ownAddress(target)}!${separator}format=${format}&!${asQuery(withNeeded(name, value))}">${value}</a>`
}

/** Returns the section of the reference on simulation, which is not part of the contract. */
export function simulationSection (): string {
  return html`<section><h2 id="simulation">Simulation</h2>
<p class="gap">This server simulates errors, delays and faults; the real one does not.
Request them with the header <code>Prefer</code>, or with a parameter where a header cannot be added; several combine.
<code>Preference-Applied</code> lists the preferences that were applied.</p>
<dl class="parameters">
!${preferenceNames.map(name => html`<div><dt><code>${name}</code><span class="small muted">or <code>${parameterOf(name)}</code></span></dt>
<dd><p>${preferences[name].effect}</p><p class="muted small">${preferences[name].takes}</p></dd></div>
`)}</dl></section>
`
}
