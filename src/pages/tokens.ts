import { html } from 'ghtml'

/** What both pages of the form say of tokens: whether they end with the process, and after how many seconds, if ever. */
type TokenTerms = { endWithProcess: boolean, lifetime: number | undefined }

/** A token as it is shown, once. */
export type IssuedTokenView = TokenTerms & { token: string, label: string, curl: string }

/** Gives the page of the form that asks for a label; with a fault, the message stands beside the field. */
export function tokenFormPage ({ label, fault, endWithProcess }: TokenTerms & { label: string, fault?: string }): string {
  return html`<!doctype html>
<html lang="en"><title>Get a token</title>
<h1>Get a token</h1>
<p>A token opens version 2.1: bikes in comprehensive detail.</p>
${endWithProcess ? 'Tokens end when this server stops.' : ''}
<form method="post" action="/tokens/">
<label>Label <input name="label" required maxlength="100" value="${label}"></label> ${fault}
<button>Get a token</button>
</form>
</html>
`
}

/** Gives the page that shows an issued token. */
export function tokenPage ({ token, label, curl }: IssuedTokenView): string {
  return html`<!doctype html>
<html lang="en"><title>Your token</title>
<h1>Your token</h1>
<p>For ${label}: <code>${token}</code></p>
<pre>${curl}</pre>
</html>
`
}
