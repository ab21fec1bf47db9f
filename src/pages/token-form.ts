import { html } from 'ghtml'

/** Says on a page of version 2.1 that a token is in use; the button is of use only to the script that holds the token. */
export const tokenInUse = html`<p class="small" data-scripted hidden>Read with the token that this tab keeps. <button type="button" class="slim" data-forget>Forget it</button></p>
`

/** Gives the field that takes a token, with what a browser that runs no scripts can do instead. */
export function tokenForm (target: string): string {
  return html`<form class="ask-token" data-token="${target}" data-scripted hidden>
<div class="fields">
<div class="field"><label for="token">Token</label>
<input id="token" name="token" required autocomplete="off" spellcheck="false" placeholder="bct_…" aria-describedby="token-help"></div>
<div class="buttons"><button class="primary">Open the list</button> <a class="button" href="/tokens/">Get a token</a></div>
</div>
<p class="small muted" id="token-help">The token is kept in this tab only, and sent as <code>Authorization: Token …</code> with each request for version 2.1.</p>
</form>
<noscript><p>A token goes into a request header, and a browser sets one only by a script. With scripts switched off, <a href="/tokens/">get a token</a> and use the command above.</p></noscript>
`
}
