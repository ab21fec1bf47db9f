import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import type { Send } from '../../src/client/client.ts'
import type { Result, Subject } from '../../src/verify/check.ts'
import { run as verify, runChecks } from '../../src/verify/command.ts'
import { catalogue } from '../helper.ts'

export const token = 'verify-token'

/** Enough bikes for two pages and for every filter: what a fault does to them is parsed and written for each of hundreds of requests. */
export const fewer: Catalogue = { ...catalogue, bikes: catalogue.bikes.slice(0, 16), bikesV2: catalogue.bikesV2.slice(0, 16) }

export const base = new URL('http://proxy.test')

/** Runs every check by a function that sends requests. */
export async function runBehind (send: Send, subject: Partial<Subject> = {}): Promise<Result[]> {
  const results: Result[] = []
  for await (const result of runChecks({ base, send, token, probeWrites: true, ...subject })) results.push(result)
  return results
}

type Terminal = { isTTY: boolean, hasColors: () => boolean }

/** Runs the command, by default without a pause between requests. */
export async function run (args: string[], signal = new AbortController().signal, terminal: Partial<Terminal> = {}, maxRequests?: number) {
  let [stdout, stderr] = ['', '']
  const code = await verify(['--rate', '100000', ...args], {
    stdout: { write: text => { stdout += text }, ...terminal },
    stderr: { write: text => { stderr += text }, ...terminal },
    signal
  }, maxRequests)
  return { code, stdout, stderr }
}

/** Runs the command and returns its report for programs. */
export async function report (url: string, ...flags: string[]) {
  const { code, stdout } = await run([url, '--reporter', 'json', ...flags])
  return { code, ...JSON.parse(stdout) as { checks: Result[], differences?: object[], summary: Record<string, number> } }
}

export const failed = (checks: readonly Result[]) => checks.filter(({ ok }) => !ok).map(({ id }) => id)
export const warned = (checks: readonly Result[]) => checks.filter(({ warnings }) => warnings.length > 0).map(({ id }) => id)
