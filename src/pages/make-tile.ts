import { html } from 'ghtml'
import type { Brake } from '../../schemas/v1/make.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { picture } from './picture.ts'

/** Gives the tile of a record that is known only by its make. */
export function makeTile (noun: string, record: Brake, catalogue: Catalogue, json: string): string {
  const { id, brand, model } = record
  return html`<li class="tile" id="${noun}-${id}">
!${picture(record, `${noun}s`, `Drawing of the ${brand} ${model}`, catalogue)}
<div>
<p class="muted small">${brand}</p>
<h3>${model}</h3>
<p class="small">!${json}</p>
</div>
</li>
`
}
