import type { Catalogue } from '../catalogue/catalogue.ts'
import { CatalogueFaults, faultCount, faultLine, type Fault } from '../catalogue/fault.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { printable } from '../http/text.ts'
import { dataDirectory, name } from '../package.ts'
import { oneOf, text } from '../settings/kinds.ts'
import { readFlags, readValue, SettingsError } from '../settings/flags.ts'

type Report = { digest: string | null, counts: Record<string, number>, warnings: readonly string[], faults: readonly Fault[] }

const usage = `Usage: ${name} check [DIR] [flags]

Checks the data directory DIR, or the built-in data, as a start does.

  --overlay DIR     also checks a directory of files whose records replace those with the same id or join the rest
  --reporter NAME   human (default), json, or github for annotations in GitHub Actions

Exits with 0 for valid data, otherwise with 1.
`

/** Formats each report as text for stdout. */
const reporters = {
  human: ({ digest, counts, warnings, faults }: Report) => [
    ...warnings.map(warning => printable(`warning: ${warning}`)),
    ...faults.map(fault => printable(faultLine(fault))),
    digest === null
      ? `invalid: ${faultCount(faults)}`
      : `valid: ${Object.entries(counts).map(([key, count]) => `${count} ${key}`).join(', ')}; digest ${digest}`
  ].join('\n'),
  json: (report: Report) => JSON.stringify(report, null, 2),
  github: ({ warnings, faults }: Report) => [
    ...warnings.map(warning => `::warning::${escapeMessage(warning)}`),
    ...faults.map(annotation)
  ].join('\n')
}

const kinds = { overlay: text('a directory'), reporter: oneOf(Object.keys(reporters) as (keyof typeof reporters)[]) }

/**
 * Checks a data directory and returns the exit code.
 *
 * @throws {SettingsError} for arguments that cannot be read
 */
export async function check (args: string[], { stdout }: { stdout: { write: (text: string) => unknown } }): Promise<number> {
  const rows = Object.entries(kinds).map(([flag, { takes }]) => ({ flag, takes }))
  const help = `${name} check --help`
  const { flags, rest: [directory = dataDirectory, stray] } = readFlags(args, rows, { help: { type: 'boolean', short: 'h' } }, help)
  if (stray !== undefined) throw new SettingsError(`check takes one directory, got ${JSON.stringify(stray)} too (${help})`)
  if (flags.has('help')) {
    stdout.write(usage)
    return 0
  }
  const overlay = flags.get('overlay')
  const reporter = reporters[readValue(kinds.reporter, '--reporter', flags.get('reporter') ?? 'human')]
  const report = await reportOf(directory, overlay === undefined ? undefined : readValue(kinds.overlay, '--overlay', overlay))
  const lines = reporter(report)
  if (lines !== '') stdout.write(`${lines}\n`)
  return report.digest === null ? 1 : 0
}

async function reportOf (directory: string, overlay: string | undefined): Promise<Report> {
  try {
    const catalogue = await loadCatalogue(directory, { overlay })
    return { digest: catalogue.digest, counts: countsOf(catalogue), warnings: catalogue.warnings, faults: [] }
  } catch (error) {
    if (!(error instanceof CatalogueFaults)) throw error
    return { digest: null, counts: {}, warnings: [], faults: error.faults }
  }
}

function countsOf (catalogue: Catalogue): Record<string, number> {
  const { bikes, wheels, tyres, chains, groupsets, brakes, saddles, handlebars, cranksets, pictures } = catalogue
  const lists = Object.entries({ bikes, wheels, tyres, chains, groupsets, brakes, saddles, handlebars, cranksets })
  return { ...Object.fromEntries(lists.map(([resource, { length }]) => [resource, length])), pictures: pictures.size }
}

/** Formats a fault as a workflow command of GitHub Actions. */
function annotation ({ file, line, column, message }: Fault): string {
  const properties = { file, ...line !== null && { line, col: column } }
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`)
  return `::error ${list.join()}::${escapeMessage(message)}`
}

/** Escapes as @actions/core does. */
const escapeMessage = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text: string) => escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
