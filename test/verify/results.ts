import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import type { Send } from '../../src/http/client.ts'
import type { Result } from '../../src/verify/check.ts'
import { runChecks } from '../../src/verify/command.ts'
import { catalogue } from '../helper.ts'

export const token = 'verify-token'

/** Enough bikes for two pages and for every filter: what a fault does to them is parsed and written for each of hundreds of requests. */
export const fewer: Catalogue = { ...catalogue, bikes: catalogue.bikes.slice(0, 16), bikesV2: catalogue.bikesV2.slice(0, 16) }

export const base = new URL('http://proxy.test')

/** Runs every check by a function that sends requests. */
export async function runBehind (send: Send): Promise<Result[]> {
  const results: Result[] = []
  for await (const result of runChecks({ base, send, token, probeWrites: true })) results.push(result)
  return results
}

export const failed = (checks: readonly Result[]) => checks.filter(({ ok }) => !ok).map(({ id }) => id)
export const remarked = (checks: readonly Result[]) => checks.filter(({ remarks }) => remarks.length > 0).map(({ id }) => id)
