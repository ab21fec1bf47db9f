import { statSync } from 'node:fs'
import { records, type ListKey } from '../../schemas/lists.ts'
import {
  CatalogueErrors, countLine, differenceLine, errorCount, type DataError, type Difference
} from '../catalogue/errors/error.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { repeatedNames } from '../catalogue/errors/positions.ts'
import type { Source } from '../catalogue/errors/source.ts'
import { dataKindOf, readSources, resolveLinks, storedLists } from '../catalogue/files.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { attempt } from '../base/attempt.ts'
import { annotation, printable, printableJson, type Output } from '../base/text.ts'
import { command, dataDirectory } from '../package.ts'
import { oneOf, text } from '../settings/kinds.ts'
import { readArguments } from '../settings/arguments.ts'
import { exitCodes, SettingsError } from '../settings/flags.ts'
import { errorLines, exitCodeOf } from './output.ts'

type CheckReport = {
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

const checkReporters = {
  human: humanReport,
  json: (report: CheckReport) => printableJson(JSON.stringify(report, null, 2)),
  github: githubReport
}

function humanReport ({ digest, counts, warnings, errors, differences }: CheckReport, stdout: Output): string {
  const lines = warnings.map(warning => printable(`warning: ${warning}`))
  for (const first of differences) {
    const warning = withMore(first)
    lines.push(...errorLines([warning], stdout, 'warning: '))
  }
  if (differences.length > 0) lines.push(differenceLine(differences).replace('; check lists them', ''))
  for (const line of errorLines(errors, stdout)) lines.push(line)
  if (digest !== null) lines.push(`valid: ${countLine(counts)}; digest ${digest}`)
  return lines.join('\n')
}

/** Returns annotations for GitHub Actions; none for valid data. */
function githubReport ({ warnings, errors, differences }: CheckReport): string {
  const lines: string[] = []
  for (const warning of warnings) lines.push(annotation('warning', {}, warning))
  for (const first of differences) lines.push(annotationAt('notice', withMore(first)))
  for (const error of errors) lines.push(annotationAt('error', error))
  return lines.join('\n')
}

/** Returns a difference with the number of others like it in its message. */
function withMore (first: Difference): DataError {
  const { message, more } = first
  return more === 0 ? first : { ...first, message: `${message} (and ${more} more)` }
}

function annotationAt (level: 'notice' | 'error', { file, line, column, message }: DataError): string {
  const location = line === null ? { file } : { file, line, col: column }
  return annotation(level, location, message)
}

const flags = { overlay: text('a directory'), reporter: oneOf(['human', 'json', 'github']) }

/** Checks a data directory and returns the exit code. @throws {SettingsError} for invalid arguments */
export async function run (args: string[], { stdout }: { stdout: Output }): Promise<number> {
  const help = `${command} check --help`
  const { values, rest } = readArguments(args, flags, [], help)
  const { overlay, reporter = 'human' } = values
  const [directory = dataDirectory, stray] = rest
  const isFile = attempt(() => statSync(directory).isFile()).value
  if (isFile || stray !== undefined) {
    const unexpected = JSON.stringify(isFile ? directory : stray)
    throw new SettingsError(`check takes one directory; unexpected argument ${unexpected} (${help}). ` +
      'For pre-commit, set pass_filenames: false and name the directory in args.')
  }
  const report = await reportOf(directory, overlay)
  const exitCode = report.digest === null ? exitCodeOf(report.errors, directory, overlay) : exitCodes.done
  const lines = checkReporters[reporter](report, stdout)
  const verdict = reporter === 'human' && exitCode === exitCodes.failed ? `\ninvalid: ${errorCount(report.errors)}` : ''
  if (lines !== '') stdout.write(`${lines}${verdict}\n`)
  return exitCode
}

async function reportOf (directory: string, overlay: string | undefined): Promise<CheckReport> {
  let errors: readonly DataError[] = []
  let catalogue: Catalogue | undefined
  try {
    catalogue = await loadCatalogue(directory, { overlay })
  } catch (error) {
    if (!(error instanceof CatalogueErrors)) throw error
    errors = error.errors
  }
  errors = [...errors, ...await repeatedNamesIn(overlay === undefined ? [directory] : [directory, overlay])]
  if (catalogue === undefined || errors.length > 0) {
    return { digest: null, counts: {}, warnings: [], errors, differences: [] }
  }
  const { digest, isRecorded, images, warnings, differences } = catalogue
  const counts: Record<string, number> = {}
  for (const key of isRecorded ? Object.keys(records) as ListKey[] : storedLists) counts[key] = catalogue[key].length
  counts['images'] = images.size
  return { digest, counts, warnings, errors, differences }
}

/**
 * Returns the errors of repeated names in authored data. They take longer to find than all others, so a start does not
 * look for them.
 */
async function repeatedNamesIn (directories: readonly string[]): Promise<DataError[]> {
  const sources: Source[] = []
  for (const directory of directories) sources.push(...await readSources(resolveLinks(directory)))
  if (dataKindOf(sources).isRecorded) return []
  return sources.flatMap(source => {
    const { error } = attempt((): unknown => JSON.parse(source.text))
    return error === undefined ? repeatedNames(source) : []
  })
}
