import { html } from 'ghtml'
import { curlLine } from '#assets/curl.js'

/** Gives how a client begins, in three languages, with the addresses that the reader has used himself. */
export function snippets (origin: string): string {
  const address = `${origin}/api/v1/bikes/`
  const clients = [
    ['curl', curlLine({ address })],
    ['fetch', `const answer = await fetch(
  '${address}'
)
const bikes = await answer.json()
console.log(bikes[0].title)`],
    ['Python', `import requests

bikes = requests.get(
    '${address}'
).json()
print(bikes[0]['title'])`]
  ] as const
  return html`<div class="snippets">
!${clients.map(([name, text]) => html`<div data-copy-beside><h3>${name}</h3>
<pre class="code" data-copy="the ${name} snippet">${text}</pre></div>
`)}</div>
`
}
