/** The extent of a part's run, and its report. */
export type Plan = {
  /** The approximate number of requests; parts with other units derive their number from it. */
  requests: number
  seed: number
  report: Report
}

/** The report of a part of the run. */
export type Report = ReturnType<typeof createReport>

export function createReport (name: string, write: (text: string) => void) {
  const counts = new Map<string, number>()
  const breaks = new Map<string, string[]>()
  const figures: string[] = []
  const started = performance.now()
  return {
    /** Counts attempts. */
    tried (what: string, times = 1): void { counts.set(what, (counts.get(what) ?? 0) + times) },
    /** Adds an error with the means to reproduce it. */
    broke (what: string, again: string): void { breaks.set(what, [...breaks.get(what) ?? [], again]) },
    figure (text: string): void { figures.push(text) },
    held: () => breaks.size === 0,
    print (): void {
      const seconds = ((performance.now() - started) / 1000).toFixed(0)
      write(`${breaks.size === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
      for (const [what, times] of counts) write(`    ${times.toLocaleString('en-GB').padStart(9)}  ${what}`)
      for (const text of figures) write(`               ${text}`)
      for (const [what, agains] of breaks) {
        write(`    BROKE ${agains.length} times: ${what}`)
        for (const again of agains.slice(0, 2)) write(`        ${again}`)
      }
      write('')
    }
  }
}
