import type { Test } from 'tap'
import type { Catalogue, ServedRecord } from '../../src/catalogue/catalogue.ts'
import { Limited, type Send } from '../../src/client/client.ts'
import { resources } from '../../src/lists/resources.ts'
import { createLedger, type Result } from '../../src/verify/check.ts'
import { run as verify } from '../../src/verify/command.ts'
import { checks, runChecks, type Subject } from '../../src/verify/run.ts'
import type { Settings } from '../../src/settings/settings.ts'
import type { ListKey } from '../../schemas/lists.ts'
import { build, catalogue, serve } from '../helper.ts'
import { outputOf } from '../run-script.ts'

export const token = 'verify-token'

const sizes: { readonly [key in ListKey]?: number } = { featured: 2, wheels: 12, groupsets: 5 }

const few = Object.fromEntries(resources.map(({ key }) => [key, catalogue[key].slice(0, sizes[key] ?? 6)]))

/** Refers to one of the few records of a list in place of any. */
const fewOf = (key: ListKey, id: unknown) => few[key]?.[Number(id) % few[key].length]

/** Gives bikes components and similar bikes that the few lists have. */
const related = (bikes: readonly ServedRecord[] = []) => bikes.map(bike => {
  const { wheels, tyre, groupset } = bike as Readonly<Record<string, { id: number } | null>>
  return {
    ...bike,
    wheels: wheels && fewOf('wheels', wheels.id),
    tyre: tyre && fewOf('tyres', tyre.id),
    groupset: groupset && fewOf('groupsets', groupset.id),
    saddle: bike['saddle'] && fewOf('saddles', bike['saddle'])?.id,
    handlebars: bike['handlebars'] && fewOf('handlebars', bike['handlebars'])?.id,
    similar_bikes: few['bikes']?.map(({ id }) => id).filter(id => id !== bike.id)
  }
})

/** Enough records for two or three pages of five, and for every filter. */
export const fewer: Catalogue = {
  ...catalogue, ...few,
  bikes: related(few['bikes']), featured: related(few['featured']), bikesV2: related(few['bikesV2'])
}

/** Builds a server of these pages, which accepts the token. */
export const buildFewer = (t: Test, settings: Partial<Settings> = {}, records = fewer) =>
  build(t, { tokens: [token], pageSize: 5, ...settings }, records)

export const base = new URL('http://proxy.test')

/** Asks a limited service again twice, as a client does, though without a pause. */
const patient = (send: Send): Send => async request => {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const response = await send(request)
    if (![429, 502, 503, 504].includes(response.status)) return response
  }
  throw new Limited('limited three times')
}

/** Runs every check, or those of some lists, by a function that sends requests. */
export async function runBehind (
  send: Send, { lists, ...subject }: Partial<Omit<Subject, 'send'>> & { lists?: readonly string[] | undefined } = {}
): Promise<Result[]> {
  const own = { base, send: patient(send), token, probeWrites: true, signal: new AbortController().signal, ...subject }
  const ledger = createLedger(checks.filter(({ id }) => lists?.includes(id.split('/')[0] as string) ?? true), own)
  await runChecks(own, ledger)
  return ledger.results()
}

/** Serves the responses of a function over HTTP until the end of the test, and returns the origin. */
export function listenProxy (t: Test, send: Send): Promise<string> {
  return serve(t, async ({ method = '', url = '', headers: sent }, response) => {
    const { status, headers, body } = await send({ method, target: url, headers: sent as Record<string, string> })
    const { connection, date, ...kept } = headers
    response.writeHead(status, kept).end(body)
  })
}

type Terminal = { isTTY: boolean, hasColors: () => boolean }

/** Runs the command, by default without a pause between requests. */
export function run (
  args: string[], signal = new AbortController().signal, terminal: Partial<Terminal> = {}, maxRequests?: number,
  wait?: (milliseconds: number) => Promise<unknown>
) {
  return outputOf(async (args, { stdout, stderr }) => {
    const environment = {
      stdout: { ...stdout, ...terminal },
      stderr: { ...stderr, ...terminal },
      signal,
      ...wait && { wait }
    }
    return await verify(['--rate', '100000', ...args], environment, maxRequests)
  }, ...args)
}

/** Runs the command and returns its report for programs. */
export async function report (url: string, ...flags: string[]) {
  const { code, stdout } = await run([url, '--reporter', 'json', ...flags])
  return {
    code,
    ...JSON.parse(stdout) as { complete: boolean, checks: Result[], summary: Record<string, number> }
  }
}

export const failed = (checks: readonly Result[]) => checks.filter(({ ok }) => !ok).map(({ id }) => id)
export const warned = (checks: readonly Result[]) =>
  checks.filter(({ warnings }) => warnings.length > 0).map(({ id }) => id)

/** Returns the lists of some checks; all if there are many, or if one concerns no list. */
export function listsOf (ids: readonly string[]): readonly string[] | undefined {
  if (ids.some(id => id.endsWith('/references'))) return ['bikes', 'groupsets', 'wheels', 'chains', 'saddles']
  const keys = ids.map(id => id.split('/')[0] as string)
  const lists = new Set(keys.includes('featured') || keys.includes('bikesV2') ? ['bikes', ...keys] : keys)
  return lists.size < 5 && keys.length > 0 && keys.every(key => resources.some(list => list.key === key))
    ? [...lists]
    : undefined
}

/** Returns the names of checks, without their lists. */
export const namesOf = (ids: readonly string[]) =>
  [...new Set(ids.map(id => resources.some(({ key }) => id.startsWith(`${key}/`)) ? id.replace(/^\w+./, '') : id))]
