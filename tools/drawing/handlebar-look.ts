import type { Bars } from './cockpit.ts'
import { says } from './read.ts'
import type { MakeRecord } from './records.ts'

/** How a handlebar looks: its kind, and what its model's words add to it. */
export interface HandlebarLook { bars: Bars, deep: boolean, flare: boolean, oneWithStem: boolean, shallow: boolean }

/** Reads the kind of a handlebar from the words of its model, a plain drop bar where they say nothing. */
export function handlebarOf ({ model }: MakeRecord): HandlebarLook {
  const bars: Bars = says('trimax carbon|extension|tt\\b|tri', model)
    ? 'aero'
    : says('wing 20|bullhorn|pursuit|base', model) ? 'bullhorn' : says('metropolis|flat|riser|street', model) ? 'flat' : 'drop'
  return {
    bars,
    deep: says('aero|superzero|talon|vr-sf|wing', model),
    flare: says('flare|beacon|xplr|gravel', model),
    oneWithStem: says('aerocockpit|talon|integrated', model),
    shallow: says('shallow|compact|vr-sf|beacon|slr', model)
  }
}
