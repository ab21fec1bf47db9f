import { records } from '../../schemas/lists.ts'
import { acceptors } from '../catalogue/acceptors.ts'
import type { Lists } from '../catalogue/catalogue.ts'
import { CatalogueFaults, countLine, faultCount, faultLine, remarkLine, type Fault, type Remark } from '../catalogue/fault.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { printable } from '../http/text.ts'
import { command, dataDirectory } from '../package.ts'
import { oneOf, text } from '../settings/kinds.ts'
import { readArguments, SettingsError } from '../settings/flags.ts'
import { annotation } from '../verify/report.ts'

type Report = {
  digest: string | null
  counts: Record<string, number>
  warnings: readonly string[]
  faults: readonly Fault[]
  remarks: readonly Remark[]
}

export const usage = `
Checks the data directory DIR, or the built-in data, as a start does.

  --overlay DIR     also checks a directory of files whose records are merged into those with the same id or join the rest
  --reporter NAME   human (default), json, or github for annotations in GitHub Actions

Exits with 0 for valid data, otherwise with 1. Differences of a recording from the contract are remarks and don't count.
`

const placeOf = ({ file, line, column }: Fault) => ({ file, ...line !== null && { line, col: column } })
const moreOf = ({ more }: Remark) => more === 0 ? '' : ` (and ${more} more)`

const reporters = {
  human: ({ digest, counts, warnings, faults, remarks }: Report) => [
    ...warnings.map(warning => printable(`warning: ${warning}`)),
    ...remarks.map(remark => printable(`remark: ${faultLine(remark)}${moreOf(remark)}`)),
    ...remarks.length === 0 ? [] : [remarkLine(remarks).replace('; check lists them', '')],
    ...faults.map(fault => printable(faultLine(fault))),
    digest === null ? `invalid: ${faultCount(faults)}` : `valid: ${countLine(counts)}; digest ${digest}`
  ].join('\n'),
  json: (report: Report) => JSON.stringify(report, null, 2),
  github: ({ warnings, faults, remarks }: Report) => [
    ...warnings.map(warning => annotation('warning', {}, warning)),
    ...remarks.map(remark => annotation('notice', placeOf(remark), remark.message + moreOf(remark))),
    ...faults.map(fault => annotation('error', placeOf(fault), fault.message))
  ].join('\n')
}

const kinds = { overlay: text('a directory'), reporter: oneOf(Object.keys(reporters) as (keyof typeof reporters)[]) }

/** Checks a data directory and returns the exit code. @throws {SettingsError} for arguments that cannot be read */
export async function run (args: string[], { stdout }: { stdout: { write: (text: string) => unknown } }): Promise<number> {
  const help = `${command} check --help`
  const { values: { overlay, reporter = 'human' }, rest: [directory = dataDirectory, stray] } = readArguments(args, kinds, [], help)
  if (stray !== undefined) throw new SettingsError(`check takes one directory, got ${JSON.stringify(stray)} too (${help})`)
  const report = await reportOf(directory, overlay)
  const lines = reporters[reporter](report)
  if (lines !== '') stdout.write(`${lines}\n`)
  return report.digest === null ? 1 : 0
}

async function reportOf (directory: string, overlay: string | undefined): Promise<Report> {
  try {
    const catalogue = await loadCatalogue(directory, { overlay })
    const { digest, isRecorded, pictures, warnings, remarks } = catalogue
    const keys = Object.keys(isRecorded ? records : acceptors.v1) as (keyof Lists)[] // the lists that are served, or the files
    const counts = { ...Object.fromEntries(keys.map(key => [key, catalogue[key].length])), pictures: pictures.size }
    return { digest, counts, warnings, faults: [], remarks }
  } catch (error) {
    if (!(error instanceof CatalogueFaults)) throw error
    return { digest: null, counts: {}, warnings: [], faults: error.faults, remarks: [] }
  }
}
