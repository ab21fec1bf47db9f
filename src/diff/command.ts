import { maskSecrets } from '../base/mask.ts'
import { counted, printable, printableJson, short } from '../base/text.ts'
import { fieldNames } from '../client/arguments.ts'
import { resources } from '../lists/resources.ts'
import { command } from '../package.ts'
import type { ServiceRecording } from '../pull/record.ts'
import { readRecordingIn } from '../pull/directory.ts'
import {
  defaultLimits, messageLines, planService, readService, safe, serviceFlags, type PullLimits
} from '../pull/service.ts'
import { clearLine } from '../service/progress.ts'
import { exitCodes, readArguments, SettingsError } from '../settings/flags.ts'
import { oneOf } from '../settings/kinds.ts'
import { changesOf, moveTo, type Change } from './compare.ts'

export const usage = `
Compares the recording in DIR with the service at URL, which it records in memory, or with the recording in another
DIR. Prints the records that were added, removed or changed, with old and new values, and the changes of orders, pages,
headers, statuses and refusals. A field that all records have now, or have no more, is printed once.

  --token T            a token for version 2.1; without one, only v1 of URL is compared
  --header LINE        a header for a gateway, such as 'X-Api-Key: abc'; repeatable, sent only below the path of URL
  --lists A,B          only these lists, such as saddles,brakes
  --rate N             most requests a second (5); it waits after 429, 502, 503 and 504
  --ignore-fields A,B  leaves out fields that always change, such as view_count or bikes.view_count
  --reporter NAME      human (default) or json

Exits with 0 if both are the same, and with 1 if they differ. Exits with 2 for invalid arguments, and if a recording or
the service cannot be read.
`

type DiffEnvironment = {
  stdout: { write: (text: string) => unknown }
  stderr: { write: (text: string) => unknown, isTTY?: boolean }
  /** Ends the command early. */
  signal: AbortSignal
}

/** Runs the command and returns its exit code; no output contains the values of --token and --header. */
export async function run (
  args: string[], environment: DiffEnvironment, limits: Partial<PullLimits> = {}
): Promise<number> {
  const { stderr, signal } = environment
  const secrets: string[] = []
  try {
    return await compare(args, environment, { ...defaultLimits, ...limits }, secrets)
  } catch (error) {
    if (stderr.isTTY) stderr.write(clearLine)
    stderr.write(`${signal.aborted ? 'stopped before the end' : safe((error as Error).message, secrets)}\n`)
    return exitCodes.unusable
  }
}

async function compare (
  args: string[], environment: DiffEnvironment, limits: PullLimits, secrets: string[]
): Promise<number> {
  const { stdout, stderr } = environment
  const help = `${command} diff --help`
  const kinds = { ...serviceFlags, 'ignore-fields': fieldNames, reporter: oneOf(['human', 'json']) }
  const { values, rest: [directory, target, ...others] } = readArguments(args, kinds, [], help)
  if (!directory || !target || others.length > 0) {
    throw new SettingsError(`diff takes a recording, and a URL or a second recording, such as real new (${help})`)
  }
  const { token, header = {}, lists, reporter, 'ignore-fields': ignored = [] } = values
  secrets.push(...Object.values(header), ...token === undefined ? [] : [token])
  const before = await readRecordingIn(directory)
  const keys = [...before.lists.keys()].filter(key => lists?.includes(key) ?? true)
  if (keys.length === 0) throw new SettingsError(`${directory} has none of the lists of --lists`)
  const after = /^https?:/i.test(target) ? await readAgain(target) : await readRecordingIn(target)

  const moved = moveTo(after.url, before.url, before)
  const changes: Change[] = []
  const notes = { missing: [] as string[], partial: [] as string[] }
  for (const resource of resources.filter(({ key }) => keys.includes(key))) {
    const { key } = resource
    if (!after.lists.has(key)) {
      notes.missing.push(key)
      continue
    }
    if (before.unfinished.has(key) || after.unfinished.has(key)) notes.partial.push(key)
    changes.push(...changesOf(resource, moved, after, ignored))
  }
  const { missing, partial } = notes
  if (missing.length === keys.length) throw new Error(`${target} has none of the lists: ${missing.join(', ')}`)
  if (missing.length > 0) stderr.write(`not compared, because only ${directory} has them: ${missing.join(', ')}\n`)
  if (partial.length > 0) stderr.write(`recorded only in part, so not compared as a whole: ${partial.join(', ')}\n`)
  const report = { complete: partial.length === 0, differences: changes }
  if (reporter === 'json') stdout.write(printableJson(`${maskSecrets(JSON.stringify(report, null, 2), secrets)}\n`))
  else {
    for (const change of changes) stdout.write(`${changeLine(change, secrets)}\n`)
    stdout.write(`${changes.length === 0 ? 'no differences' : counted(changes.length, 'difference')}\n`)
  }
  if (changes.length > 0) return exitCodes.failed
  return partial.length > 0 ? exitCodes.unusable : exitCodes.done

  /** Records those lists of a service, in memory. @throws {Error} if not all of their records could be read */
  async function readAgain (url: string): Promise<ServiceRecording & { url: string }> {
    const plan = planService(url, { ...values, lists: keys }, help)
    const { recording, error, hasRecords, messages, progress } = await readService(plan, environment, limits)
    progress.end()
    if (error !== undefined && !hasRecords) throw error
    if (error !== undefined) messages.add(error.message)
    stderr.write(messageLines(messages, secrets))
    return { ...recording, url: plan.base.href }
  }
}

/** The most characters of a value that are printed. */
const maxCharacters = 60

/** Returns a change as a line: `saddles 3: brand "Aspide" → "Other"`. Long values begin before their difference. */
function changeLine (change: Change, secrets: readonly string[]): string {
  const { list, record, request, field, before, after, more } = change
  const place = [list, record ?? request].filter(part => part !== undefined).join(' ')
  const [old, now] = [before, after].map(text => text === undefined ? undefined : maskSecrets(text, secrets))
  const others = more === 0 ? '' : ` (and ${counted(more, record === undefined ? 'more request' : 'more record')})`
  return printable(`${place}: ${field === undefined ? '' : `${field} `}${valuesLine(old, now)}${others}`)
}

function valuesLine (before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `added ${short(String(after))}`
  if (after === undefined) return `removed ${short(before)}`
  let same = 0
  while (same < before.length && before[same] === after[same]) same++
  const isLong = Math.max(before.length, after.length) > maxCharacters
  const start = isLong ? Math.max(0, same - maxCharacters / 3) : 0
  const excerptOf = (text: string) => short(`${start > 0 ? '…' : ''}${text.slice(start)}`, maxCharacters)
  const [old, now] = [excerptOf(before), excerptOf(after)]
  if (old.normalize('NFKC') !== now.normalize('NFKC')) return `${old} → ${now}`
  const codePoints = (text: string) => text.replace(/[^ -~…]/gu, sign => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
  return `${codePoints(old)} → ${codePoints(now)}`
}
