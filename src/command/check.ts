import { records, type ListKey } from '../../schemas/lists.ts'
import {
  CatalogueErrors, countLine, differenceLine, errorCount, errorLines, exitCodeOf, type DataError, type Difference, type Output
} from '../catalogue/errors/error.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { repeatedNames } from '../catalogue/errors/positions.ts'
import type { Source } from '../catalogue/errors/source.ts'
import { dataKindOf, readSources, resolveLinks, storedLists } from '../catalogue/files.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { attempt } from '../base/attempt.ts'
import { annotation, printable, printableJson } from '../base/text.ts'
import { command, dataDirectory } from '../package.ts'
import { oneOf, text } from '../settings/kinds.ts'
import { exitCodes, readArguments, SettingsError } from '../settings/flags.ts'

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

const reporters = { human, json, github }

function human ({ digest, counts, warnings, errors, differences }: CheckReport, stdout: Output): string {
  const lines = warnings.map(warning => printable(`warning: ${warning}`))
  for (const first of differences) {
    lines.push(...errorLines([{ ...first, message: withMore(first) }], stdout, 'warning: '))
  }
  if (differences.length > 0) lines.push(differenceLine(differences).replace('; check lists them', ''))
  lines.push(...errorLines(errors, stdout))
  lines.push(digest === null ? `invalid: ${errorCount(errors)}` : `valid: ${countLine(counts)}; digest ${digest}`)
  return lines.join('\n')
}

function json (report: CheckReport): string {
  return printableJson(JSON.stringify(report, null, 2))
}

/** Returns annotations for GitHub Actions; none for valid data. */
function github ({ warnings, errors, differences }: CheckReport): string {
  return [
    ...warnings.map(warning => annotation('warning', {}, warning)),
    ...differences.map(first => annotation('notice', positionIn(first), withMore(first))),
    ...errors.map(error => annotation('error', positionIn(error), error.message))
  ].join('\n')
}

const withMore = ({ message, more }: Difference) => more === 0 ? message : `${message} (and ${more} more)`

const positionIn = ({ file, line, column }: DataError) => line === null ? { file } : { file, line, col: column }

const flags = { overlay: text('a directory'), reporter: oneOf(['human', 'json', 'github']) }

/** Checks a data directory and returns the exit code. @throws {SettingsError} for invalid arguments */
export async function run (args: string[], { stdout }: { stdout: Output }): Promise<number> {
  const help = `${command} check --help`
  const { values: { overlay, reporter = 'human' }, rest: [directory = dataDirectory, stray] } = readArguments(args, flags, [], help)
  if (stray !== undefined) throw new SettingsError(`check takes one directory; unexpected argument ${JSON.stringify(stray)} (${help})`)
  const report = await reportOf(directory, overlay)
  const lines = reporters[reporter](report, stdout)
  if (lines !== '') stdout.write(`${lines}\n`)
  return report.digest === null ? exitCodeOf(report.errors, directory, overlay) : exitCodes.done
}

async function reportOf (directory: string, overlay: string | undefined): Promise<CheckReport> {
  const { catalogue, errors } = await load(directory, overlay)
  if (catalogue === undefined) return { digest: null, counts: {}, warnings: [], errors, differences: [] }
  const { digest, isRecorded, images, warnings, differences } = catalogue
  const keys = isRecorded ? Object.keys(records) as ListKey[] : storedLists // the lists that are served, or the files
  const counts = { ...Object.fromEntries(keys.map(key => [key, catalogue[key].length])), images: images.size }
  return { digest, counts, warnings, errors, differences }
}

/** Returns the catalogue, or all errors: those of a start, and names that are repeated in an object, which a start does not look for. */
async function load (directory: string, overlay: string | undefined): Promise<{ catalogue?: Catalogue, errors: readonly DataError[] }> {
  const directories = overlay === undefined ? [directory] : [directory, overlay]
  try {
    const catalogue = await loadCatalogue(directory, { overlay })
    const errors = await repeatedNamesIn(directories)
    return errors.length > 0 ? { errors } : { catalogue, errors }
  } catch (error) {
    if (!(error instanceof CatalogueErrors)) throw error
    return { errors: [...error.errors, ...await repeatedNamesIn(directories)] }
  }
}

/** Returns the errors of names that are repeated in authored data, which takes longer to find than all other errors. */
async function repeatedNamesIn (directories: readonly string[]): Promise<DataError[]> {
  const read = await Promise.all(directories.map(directory => readSources(resolveLinks(directory))))
  const sources = read.flat()
  return dataKindOf(sources).isRecorded ? [] : sources.filter(isJson).flatMap(repeatedNames)
}

const isJson = ({ text }: Source) => attempt((): unknown => JSON.parse(text)).error === undefined
