import { records, type ListKey } from '../../schemas/lists.ts'
import {
  CatalogueErrors, countLine, differenceLine, errorCount, errorLines, exitCodeOf, type DataError, type Difference, type Output
} from '../catalogue/errors/error.ts'
import { repeatedNames } from '../catalogue/errors/positions.ts'
import { readSources, resolveLinks, storedLists } from '../catalogue/files.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { annotation, printable } from '../base/text.ts'
import { command, dataDirectory } from '../package.ts'
import { oneOf, text } from '../settings/kinds.ts'
import { exitCodes, readArguments, SettingsError } from '../settings/flags.ts'

type Report = {
  digest: string | null
  counts: Record<string, number>
  warnings: readonly string[]
  errors: readonly DataError[]
  differences: readonly Difference[]
}

export const usage = `
Checks the data directory DIR, or the built-in data, as the server does at startup.

  --overlay DIR     also checks an overlay: each record is merged into the record with the same id, or added
  --reporter NAME   human (default), json, or github for annotations in GitHub Actions

A recording that differs from the contract is still valid: the differences are printed as warnings.
`

const placeOf = ({ file, line, column }: DataError) => ({ file, ...line !== null && { line, col: column } })
const moreOf = ({ more }: Difference) => more === 0 ? '' : ` (and ${more} more)`

const reporters = {
  human: ({ digest, counts, warnings, errors, differences }: Report, stdout: Output) => [
    ...warnings.map(warning => printable(`warning: ${warning}`)),
    ...differences.flatMap(first => errorLines([{ ...first, message: first.message + moreOf(first) }], stdout, 'warning: ')),
    ...differences.length === 0 ? [] : [differenceLine(differences).replace('; check lists them', '')],
    ...errorLines(errors, stdout),
    digest === null ? `invalid: ${errorCount(errors)}` : `valid: ${countLine(counts)}; digest ${digest}`
  ].join('\n'),
  json: (report: Report) => JSON.stringify(report, null, 2),
  github: ({ warnings, errors, differences }: Report) => [
    ...warnings.map(warning => annotation('warning', {}, warning)),
    ...differences.map(first => annotation('notice', placeOf(first), first.message + moreOf(first))),
    ...errors.map(error => annotation('error', placeOf(error), error.message))
  ].join('\n')
}

const kinds = { overlay: text('a directory'), reporter: oneOf(Object.keys(reporters) as (keyof typeof reporters)[]) }

/** Checks a data directory and returns the exit code. @throws {SettingsError} for invalid arguments */
export async function run (args: string[], { stdout }: { stdout: Output }): Promise<number> {
  const help = `${command} check --help`
  const { values: { overlay, reporter = 'human' }, rest: [directory = dataDirectory, stray] } = readArguments(args, kinds, [], help)
  if (stray !== undefined) throw new SettingsError(`check takes one directory; unexpected argument ${JSON.stringify(stray)} (${help})`)
  const report = await reportOf(directory, overlay)
  const lines = reporters[reporter](report, stdout)
  if (lines !== '') stdout.write(`${lines}\n`)
  return report.digest === null ? exitCodeOf(report.errors, directory, overlay) : exitCodes.done
}

async function reportOf (directory: string, overlay: string | undefined): Promise<Report> {
  try {
    const catalogue = await loadCatalogue(directory, { overlay })
    const { digest, isRecorded, images, warnings, differences } = catalogue
    const directories = isRecorded ? [] : [directory, ...overlay === undefined ? [] : [overlay]]
    const sources = await Promise.all(directories.map(async path => readSources(resolveLinks(path))))
    const errors = sources.flat().flatMap(repeatedNames) // a start does not look for them, because that takes longer than all else
    if (errors.length > 0) throw new CatalogueErrors(errors)
    const keys = isRecorded ? Object.keys(records) as ListKey[] : storedLists // the lists that are served, or the files
    const counts = { ...Object.fromEntries(keys.map(key => [key, catalogue[key].length])), images: images.size }
    return { digest, counts, warnings, errors: [], differences }
  } catch (error) {
    if (!(error instanceof CatalogueErrors)) throw error
    return { digest: null, counts: {}, warnings: [], errors: error.errors, differences: [] }
  }
}
