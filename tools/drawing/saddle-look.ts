import { type Colour, surface } from './colour.ts'
import { says } from './read.ts'
import type { MakeRecord } from './records.ts'
import type { SaddleLook } from './saddle-side.ts'

const covers: ReadonlyArray<readonly [words: string, Colour]> = [
  ['cambium|brooks', '#7b4526'], ['concor', '#d9d4c8'], ['dimension', '#2f3440'], ['verse', '#33363b'], ['silverado', '#41352b'], ['approach',
    '#30343a']
]

/** Reads how a saddle looks from the words of its brand and model, a plain black racing one where they say nothing. */
export function saddleLook ({ brand, model }: MakeRecord): SaddleLook {
  const words = `${brand} ${model}`
  const outline = says('pn \\d|ism', words)
    ? 'split'
    : says('power|boost|short|dimension|argo', words)
      ? 'short'
      : says('cambium|concor', words) ? 'classic' : says('approach|silverado|verse|allroad|vl-', words) ? 'comfort' : 'race'
  const colour = covers.find(([pattern]) => says(pattern, words))?.[1] ?? '#26292e'
  return { colour, outline, rails: says('r3|slr|pro|power', words) ? surface.graphite : surface.steel }
}
