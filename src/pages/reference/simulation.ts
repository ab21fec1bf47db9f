import { html } from 'ghtml'
import { parameterOf, preferenceNames, preferences } from '../../simulation/preferences.ts'

/** What this server simulates for those who ask, which is no part of the contract. */
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
