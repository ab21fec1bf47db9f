import { html } from 'ghtml'
import type { Brake } from '../../schemas/v1/make.ts'
import { picture } from './picture.ts'

/** Gives the tile of a record that is known only by its make. */
export function makeTile (noun: string, record: Brake, json: string): string {
  const { id, brand, model } = record
  return html`<li class="tile" id="${noun}-${id}">
!${picture(record, `${noun}s`, `Drawing of the ${brand} ${model}`)}
<div>
<p class="muted small">${brand}</p>
<h3>${model}</h3>
<p class="small">!${json}</p>
</div>
</li>
`
}
