import { html } from 'ghtml'
import { formLimits } from '../settings/settings.ts'
import { commandLine } from './exchange.ts'
import { layout, type PageSettings } from './layout.ts'

/** Whether issued tokens become invalid after a restart. */
type TokenTerms = { invalidAfterRestart: boolean, settings: PageSettings }

/** Returns the HTML page with the token form; an error appears below the field. */
export function tokenFormPage ({ label, error, ...terms }: TokenTerms & { label: string, error?: string }): string {
  const described = error === undefined ? 'aria-describedby="label-help"' : 'aria-describedby="label-error label-help" aria-invalid="true"'
  const main = html`<div class="head">
<h1>Tokens</h1>
<p class="lead">Version 2.1 needs a token. It has every bike in comprehensive detail: prices, weights, reviews, and filters.</p>
</div>
<form class="controls" method="post" action="/tokens/">
<div class="fields">
<div class="field"><label for="label">Label</label>
<input id="label" name="label" type="text" required maxlength="${formLimits.labelCharacters}"
value="${label}" placeholder="my phone" !${described}></div>
<div class="buttons"><button type="submit" class="primary">Get a token</button></div>
</div>
!${error === undefined ? '' : html`<p class="error" id="label-error">${error}</p>`}
<p class="small muted" id="label-help">A name for the token. The server stores neither the label nor the token.</p>
</form>
!${termsOf(terms)}`
  return layout({ title: `${error === undefined ? '' : 'Error: '}Tokens`, path: '/tokens/', main, settings: terms.settings })
}

/** Returns the HTML page that shows an issued token, once. */
export function tokenPage ({ token, label, curl, ...terms }: TokenTerms & { token: string, label: string, curl: string }): string {
  const main = html`<div class="head">
<h1>Your token</h1>
<p class="lead">For <b>${label}</b>. Copy it now: the server does not store it and cannot show it again.</p>
</div>
<div class="exchange">
!${commandLine(token, 'the token')}!${commandLine(curl)}</div>
<form class="use" data-token="/api/v2/bikes/?format=api" data-scripted>
<input type="hidden" name="token" value="${token}">
<button type="submit" class="primary">Open the bikes of version 2.1</button>
</form>
!${termsOf(terms)}`
  return layout({ title: 'Your token', path: '/tokens/', main, settings: terms.settings })
}

const termsOf = ({ invalidAfterRestart }: TokenTerms) => html`<div class="notice"><ul>
<li>Send it in a header: <code>Authorization: Token $TOKEN</code>.</li>
!${invalidAfterRestart ? '<li>It is invalid after a restart of this server, which has no <code>--token-secret</code>.</li>' : ''}</ul></div>
`

/** Shows in browsable pages of version 2.1 that a token is in use; only the script that stores the token uses the button. */
export const tokenInUse = html`<p class="in-use small" data-scripted>Requested with the token of this tab.
<button type="button" class="slim" data-forget aria-label="Forget the token">Forget</button></p>
`

/** The field for a token, with an alternative for browsers without scripts. */
export function tokenForm (target: string, hasTokenForm: boolean, isRefused: boolean): string {
  return html`<form class="ask-token" data-token="${target}" data-scripted>
<div class="fields">
<div class="field"><label for="token">Token</label>
<input id="token" name="token" type="text" required autocomplete="off" spellcheck="false"
placeholder="bct_&hellip;" aria-describedby="token-help"!${isRefused ? ' aria-invalid="true"' : ''}></div>
<div class="buttons"><button type="submit" class="primary">Open the list</button>
!${hasTokenForm ? '<a class="button" href="/tokens/">Get a token</a>' : ''}</div>
</div>
<p class="small muted" id="token-help">The token is stored in this tab only,
and sent as <code>Authorization: Token $TOKEN</code> with each request for version 2.1.</p>
</form>
<noscript><p>A browser sends a token only with a script. Without scripts,
!${hasTokenForm ? '<a href="/tokens/">get a token</a> and use' : 'use'} the command below.</p></noscript>
`
}
