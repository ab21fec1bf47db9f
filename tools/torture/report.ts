/** The report of a part of the run. */
export type Report = {
  /** Counts attempts. */
  tried: (what: string, times?: number) => void
  /** Adds an error with the means to reproduce it. */
  broke: (what: string, again: string) => void
  /** Adds a figure. */
  figure: (text: string) => void
  /** True without errors. */
  held: () => boolean
  print: () => void
}

/** The most examples printed of the same error. */
const examples = 2

export function createReport (name: string, about: string, write: (text: string) => void): Report {
  const counts = new Map<string, number>()
  const breaks = new Map<string, string[]>()
  const figures: string[] = []
  const started = performance.now()
  return {
    tried: (what, times = 1) => { counts.set(what, (counts.get(what) ?? 0) + times) },
    broke (what, again) {
      const known = breaks.get(what) ?? []
      breaks.set(what, [...known, again])
    },
    figure: text => { figures.push(text) },
    held: () => breaks.size === 0,
    print () {
      const seconds = ((performance.now() - started) / 1000).toFixed(0)
      write(`${breaks.size === 0 ? '✓' : '✗'} ${name}: ${about} (${seconds} s)`)
      for (const [what, times] of counts) write(`    ${times.toLocaleString('en-GB').padStart(9)}  ${what}`)
      for (const text of figures) write(`               ${text}`)
      for (const [what, agains] of breaks) {
        write(`    BROKE ${agains.length} times: ${what}`)
        for (const again of agains.slice(0, examples)) write(`        ${again}`)
      }
      write('')
    }
  }
}
