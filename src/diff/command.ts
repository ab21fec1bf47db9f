import { maskSecrets } from '../base/mask.ts'
import { counted, printable, printableJson, short, shortPair } from '../base/text.ts'
import { fieldNames } from '../client/arguments.ts'
import { command } from '../package.ts'
import { readRecordingIn } from '../pull/directory.ts'
import {
  defaultLimits, messageLines, planService, readService, safe, serviceFlags, type PullLimits, type ServiceEnvironment,
  type ServicePlan
} from '../pull/service.ts'
import { clearLine } from '../service/progress.ts'
import { readArguments } from '../settings/arguments.ts'
import { exitCodes, SettingsError } from '../settings/flags.ts'
import { oneOf } from '../settings/kinds.ts'
import { changesOf, type Change, type Recording } from './compare.ts'

export const usage = `
Compares the recording in DIR with the service at URL, or with the recording in another DIR. Prints the records that
were added, removed or changed, with old and new values, and the changes of orders, pages, headers, statuses and
refusals. A field that all records have now, or have no more, is printed once.

  --token T            a token for version 2.1; without one, only v1 of URL is compared
  --header LINE        a header for a gateway, such as 'X-Api-Key: abc'; repeatable, sent only below the path of URL
  --lists A,B          only these lists, such as saddles,brakes
  --rate N             most requests a second (5); it waits after 429, 502, 503 and 504
  --ignore-fields A,B  leaves out fields that always change, such as view_count or bikes.view_count
  --reporter NAME      human (default) or json

Exits with 0 if both are the same, and with 1 if they differ. Exits with 2 for invalid arguments, and if a recording or
the service cannot be read.
`

/** Runs the command and returns its exit code; no output contains the values of --token and --header. */
export async function run (
  args: string[], environment: ServiceEnvironment, limits: Partial<PullLimits> = {}
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
  args: string[], environment: ServiceEnvironment, limits: PullLimits, secrets: string[]
): Promise<number> {
  const { stdout, stderr } = environment
  const help = `${command} diff --help`
  const kinds = { ...serviceFlags, 'ignore-fields': fieldNames, reporter: oneOf(['human', 'json']) }
  const { values, rest } = readArguments(args, kinds, [], help)
  const [directory, target, ...others] = rest
  if (!directory || !target || others.length > 0) {
    throw new SettingsError(`diff takes a recording, and a URL or a second recording, such as real new (${help})`)
  }
  const { lists, reporter, 'ignore-fields': ignored = [] } = values
  const before = await readRecordingIn(directory)
  const keys = [...before.lists.keys()].filter(key => lists?.includes(key) ?? true)
  if (keys.length === 0) throw new SettingsError(`${directory} has none of the lists of --lists`)
  let after: Recording
  if (/^https?:/i.test(target)) {
    const plan = planService(target, { ...values, lists: keys }, help)
    secrets.push(...plan.secrets)
    after = await recordAgain(plan, environment, limits)
  } else after = await readRecordingIn(target)

  const shared = keys.filter(key => after.lists.has(key))
  const missing = keys.filter(key => !after.lists.has(key))
  if (shared.length === 0) throw new Error(`${target} has none of the lists: ${missing.join(', ')}`)
  if (missing.length > 0) {
    stderr.write(`not compared, because only ${directory} has them: ${missing.join(', ')}\n`)
  }
  const partial = shared.filter(key => before.unfinished.has(key) || after.unfinished.has(key))
  if (partial.length > 0) {
    stderr.write(`recorded only in part, so not compared as a whole: ${partial.join(', ')}\n`)
  }

  const complete = partial.length === 0
  const changes = shared.flatMap(key => changesOf(key, before, after, ignored))
  const differences = JSON.parse(JSON.stringify(changes), (_name, value: unknown) => {
    return typeof value === 'string' ? maskSecrets(value, secrets) : value
  }) as Change[]
  if (reporter === 'json') {
    const report = JSON.stringify({ complete, differences }, null, 2)
    stdout.write(`${printableJson(report)}\n`)
  } else {
    for (const change of differences) stdout.write(`${changeLine(change)}\n`)
    const count = differences.length === 0 ? 'no differences' : counted(differences.length, 'difference')
    stdout.write(`${count}\n`)
  }
  if (differences.length > 0) return exitCodes.failed
  return complete ? exitCodes.done : exitCodes.unusable
}

/** Records a service in memory. @throws {Error} if not all records could be read */
async function recordAgain (
  plan: ServicePlan, environment: ServiceEnvironment, limits: PullLimits
): Promise<Recording> {
  const { recording, error, hasRecords, messages, progress } = await readService(plan, environment, limits)
  progress.end()
  if (error !== undefined && !hasRecords) throw error
  if (error !== undefined) messages.add(error.message)
  environment.stderr.write(messageLines(messages, plan.secrets))
  return { ...recording, url: plan.base.href }
}

/** Returns a change as a line: `saddles 3: brand "Aspide" → "Other"`. */
function changeLine ({ list, record, request, field, before, after, more }: Change): string {
  const words = [list, `${record ?? request}:`]
  if (field !== undefined) words.push(field || '""')
  if (before === undefined) words.push('added', short(String(after)))
  else if (after === undefined) words.push('removed', short(before))
  else words.push(shortPair(before, after).join(' → '))
  if (more > 0) words.push(`(and ${more} more)`)
  return printable(words.join(' '))
}
