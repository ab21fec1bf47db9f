import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Case } from './answers.ts'
import { median } from './figures.ts'
import { load } from './load.ts'
import { start, temporaryDirectory, type Running } from '../process.ts'

/** As many as the load of CPU time. */
export const connections = 20

/** Requests of each row before V8 has compiled all that they need. */
const warmUpRequests = 10_000

/** The counted requests of a batch, and the batches of a row: a compilation or a collection makes a batch expensive. */
const batchRequests = 500
const batches = 9

/** Returns the instructions that a fresh process executes for a request of each case, as Valgrind counts them. */
export async function countInstructions (args: readonly string[], cases: readonly Case[]): Promise<number[]> {
  const directory = temporaryDirectory()
  const counting = ['--tool=callgrind', '--instr-atstart=no', '--fair-sched=yes']
  const under = ['valgrind', '--quiet', ...counting, `--callgrind-out-file=${join(directory, 'counts')}`]
  const server = await start(args, { under })
  const counts: number[] = []
  for (const measured of cases) counts.push(await count(server, measured, directory))
  await server.stop()
  return counts
}

/** Counts on the connections that have warmed up, because opening one costs as much as many requests. */
async function count (server: Running, { target, headers, status }: Case, directory: string): Promise<number> {
  const totals: number[] = []
  const requests = warmUpRequests + batches * batchRequests + 1
  await load({
    url: server.url,
    status,
    headers,
    connections,
    requests,
    target (sent) {
      if (sent === warmUpRequests) control(server, '--instr=on')
      else if (sent > warmUpRequests && (sent - warmUpRequests) % batchRequests === 0) {
        control(server, '--dump')
        totals.push(takeTotal(directory) / batchRequests)
      }
      return target
    }
  })
  control(server, '--instr=off')
  return median(totals)
}

/** Has a running server count, stop counting, or write and reset its counts. */
function control ({ pid }: Running, command: string): void {
  const { status, stdout, stderr } = spawnSync('callgrind_control', [command, String(pid)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`callgrind_control ${command} failed: ${stdout}${stderr}`)
}

/** Returns the instructions in the files that callgrind has written, and removes them. */
function takeTotal (directory: string): number {
  let total = 0
  for (const name of readdirSync(directory)) {
    const file = join(directory, name)
    const [, count] = /^(?:summary|totals): (\d+)/m.exec(readFileSync(file, 'utf8')) ?? []
    total += Number(count ?? 0)
    rmSync(file)
  }
  return total
}
