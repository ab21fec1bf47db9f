import type { Report } from './report.ts'

/** The extent of a part's run, and its report. */
export type Plan = {
  /** The approximate number of requests; parts with other units derive their number from it. */
  requests: number
  seed: number
  /** The number of bikes in the large catalogue. */
  bikes: number
  report: Report
}
