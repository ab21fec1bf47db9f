import { html } from 'ghtml'
import type { Brake } from '../../schemas/v1/make.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ResourceKey } from '../lists/resources.ts'
import { bikeCard } from './bike-card.ts'
import { chainSummary, groupsetSummary, partRows, tyreSummary, wheelSummary, type PartRecord, type Summary } from './part-row.ts'
import { picture, type JsonLink, type Noun } from './record.ts'

/** How the records of a list are shown. */
export type View = {
  arrangement: 'cards' | 'rows' | 'tiles'
  items: (records: readonly never[], catalogue: Catalogue, jsonLink: JsonLink) => string[]
}

const cards: View = {
  arrangement: 'cards',
  items: (bikes, catalogue, jsonLink) => bikes.map(bike => bikeCard(bike, catalogue, jsonLink(bike)))
}

function rows<T extends PartRecord> (noun: Noun, summarise: (record: T, catalogue: Catalogue) => Summary): View {
  return {
    arrangement: 'rows',
    items: (records: readonly T[], catalogue, jsonLink) => partRows(noun, records, catalogue, jsonLink, summarise)
  }
}

function tiles (noun: string): View {
  return {
    arrangement: 'tiles',
    items: (records: readonly Brake[], catalogue, jsonLink) => records.map(record => makeTile(noun, record, catalogue, jsonLink(record)))
  }
}

/** The tile of a record that is known only by its make. */
function makeTile (noun: string, record: Brake, catalogue: Catalogue, jsonLink: string): string {
  const { id, brand, model } = record
  return html`<li class="tile" id="${noun}-${id}">
!${picture(record, `${noun}s`, `Drawing of the ${brand} ${model}`, catalogue)}
<div>
<p class="muted small">${brand}</p>
<h3>${model}</h3>
<p class="small">!${jsonLink}</p>
</div>
</li>
`
}

/** How each list is shown. */
export const views: Readonly<Record<ResourceKey, View>> = {
  bikes: cards,
  featured: cards,
  wheels: rows('wheel', wheelSummary),
  tyres: rows('tyre', tyreSummary),
  chains: rows('chain', chainSummary),
  groupsets: rows('groupset', groupsetSummary),
  brakes: tiles('brake'),
  saddles: tiles('saddle'),
  handlebars: tiles('handlebar'),
  bikesV2: cards
}
