import { records } from '../../schemas/lists.ts'
import { validators } from '../catalogue/authored/validators.ts'
import type { Lists } from '../catalogue/catalogue.ts'
import {
  CatalogueErrors, countLine, errorCount, errorLines, exitCodeOf, warningLine, type DataError, type DataWarning, type Output
} from '../catalogue/errors/error.ts'
import { repeatedNames } from '../catalogue/errors/positions.ts'
import { readSources, resolveLinks } from '../catalogue/files.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { printable } from '../base/text.ts'
import { command, dataDirectory } from '../package.ts'
import { oneOf, text } from '../settings/kinds.ts'
import { exitCodes, readArguments, SettingsError } from '../settings/flags.ts'
import { annotation } from '../verify/reporters.ts'

type Report = {
  digest: string | null
  counts: Record<string, number>
  notices: readonly string[]
  errors: readonly DataError[]
  warnings: readonly DataWarning[]
}

export const usage = `
Checks the data directory DIR, or the built-in data, as a start does.

  --overlay DIR     also checks an overlay: each record is merged into the record with the same id, or added
  --reporter NAME   human (default), json, or github for annotations in GitHub Actions

A recording that differs from the contract is still valid: the differences are warnings.
`

const placeOf = ({ file, line, column }: DataError) => ({ file, ...line !== null && { line, col: column } })
const moreOf = ({ more }: DataWarning) => more === 0 ? '' : ` (and ${more} more)`

const reporters = {
  human: ({ digest, counts, notices, errors, warnings }: Report, stdout: Output) => [
    ...notices.map(notice => printable(`warning: ${notice}`)),
    ...warnings.flatMap(warning => errorLines([{ ...warning, message: warning.message + moreOf(warning) }], stdout, 'warning: ')),
    ...warnings.length === 0 ? [] : [warningLine(warnings).replace('; check lists them', '')],
    ...errorLines(errors, stdout),
    digest === null ? `invalid: ${errorCount(errors)}` : `valid: ${countLine(counts)}; digest ${digest}`
  ].join('\n'),
  json: (report: Report) => JSON.stringify(report, null, 2),
  github: ({ notices, errors, warnings }: Report) => [
    ...notices.map(notice => annotation('warning', {}, notice)),
    ...warnings.map(warning => annotation('notice', placeOf(warning), warning.message + moreOf(warning))),
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
    const { digest, isRecorded, images, notices, warnings } = catalogue
    const directories = isRecorded ? [] : [directory, ...overlay === undefined ? [] : [overlay]]
    const sources = await Promise.all(directories.map(async path => readSources(resolveLinks(path))))
    const errors = sources.flat().flatMap(repeatedNames) // a start does not look for them, because that takes longer than all else
    if (errors.length > 0) throw new CatalogueErrors(errors)
    const keys = Object.keys(isRecorded ? records : validators.v1) as (keyof Lists)[] // the lists that are served, or the files
    const counts = { ...Object.fromEntries(keys.map(key => [key, catalogue[key].length])), images: images.size }
    return { digest, counts, notices, errors: [], warnings }
  } catch (error) {
    if (!(error instanceof CatalogueErrors)) throw error
    return { digest: null, counts: {}, notices: [], errors: error.errors, warnings: [] }
  }
}
