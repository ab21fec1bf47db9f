import { html } from 'ghtml'

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
