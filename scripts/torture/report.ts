/** What a part of the run tells of itself. */
export type Report = {
  /** Counts what was tried. */
  tried: (what: string, times?: number) => void
  /** Notes that something broke, with what shows it again. */
  broke: (what: string, again: string) => void
  /** Notes a figure. */
  figure: (text: string) => void
  /** Whether nothing broke. */
  held: () => boolean
  print: () => void
}

/** How many examples are printed of what broke in the same way. */
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
