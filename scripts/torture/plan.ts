import type { Report } from './report.ts'

/** How much a part tries, and where it tells of it. */
export type Plan = {
  /** How many requests, about; a part that tries something else derives its number from it. */
  requests: number
  seed: number
  /** How many bikes the large catalogue has. */
  bikes: number
  report: Report
}
