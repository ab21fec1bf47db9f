import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { converse, type Sent } from './converse.ts'
import type { Plan } from './plan.ts'
import { startServer, type Server } from './server.ts'

/** By when a server has tried to write what it logs, in milliseconds. */
const written = 500

const flags = ['--rate-limit', 'off', '--log-requests', 'on']
const asked: Sent = {
  method: 'GET',
  target: '/nope/',
  text: `GET /nope/?${'x'.repeat(2000)} HTTP/1.1\r\nHost: bikes.test\r\n\r\n`,
  closes: false
}

/** Gives servers logs that cannot be written, and looks whether they go on. */
export async function journals ({ requests: count, report }: Plan): Promise<void> {
  const times = Math.min(2000, Math.max(100, count))
  const full = openSync('/dev/full', 'w')
  await check('a log on a full disk', await startServer(flags, full))
  closeSync(full)

  const directory = mkdtempSync(join(tmpdir(), 'torture-log-'))
  const pipe = join(directory, 'pipe')
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  spawnSync('mkfifo', [pipe])
  const open = () => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  let reader = open()
  const writer = openSync(pipe, 'w')
  const server = await startServer(flags, writer)
  closeSync(writer)
  await ask(server, 10)
  closeSync(reader)
  await ask(server, times)
  await passed(written)
  reader = open()
  await ask(server, 10)
  await passed(written)
  const text = read(reader)
  report.tried('a log whose reader goes and comes back')
  if (!/\d+ lines of the log could not be written/.test(text)) {
    report.broke('it is not said what the log has lost', `the first that came: ${text.slice(0, 300)}`)
  }
  // From here on nobody reads, and the pipe fills up.
  await check('a log that nobody reads', server)
  closeSync(reader)
  rmSync(directory, { recursive: true, force: true })

  async function check (name: string, server: Server): Promise<void> {
    report.tried(name)
    await ask(server, times)
    server.signal('SIGTERM')
    const code = await server.exited
    if (code !== 0) report.broke(`${name}: the server ends with ${code}`, '--only journals')
  }

  async function ask ({ port }: Server, times: number): Promise<void> {
    for (let left = times; left > 0; left -= 50) {
      const requests = Array.from({ length: Math.min(left, 50) }, () => asked)
      const { answers, fault } = await converse(port, requests)
      report.tried('requests logged in vain', answers.length)
      if (fault !== undefined) return report.broke(`a request is not answered: ${fault}`, '--only journals')
    }
  }
}

function read (descriptor: number): string {
  const bytes = Buffer.alloc(2 ** 20)
  try {
    return bytes.toString('utf8', 0, readSync(descriptor, bytes))
  } catch {
    return ''
  }
}
