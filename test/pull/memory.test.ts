import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'tap'
import { typescript } from '../run-script.ts'
import { freeDirectory, serve, token } from './pulled.ts'

/** Prints the most memory that a process had, in KB. */
const printMemory = 'data:text/javascript,process.on("exit",()=>console.log("memory",process.resourceUsage().maxRSS))'

test('the memory of a pull grows with a list, not with the number of its responses', async t => {
  const records = Array.from({ length: 120 }, (_, id) => ({ id, title: `${id % 7}`, text: `${id}`.repeat(40_000) }))
  const body = Buffer.from(JSON.stringify({ count: 120, next: null, previous: null, results: records }))
  let bytes = 0
  const { url } = await serve(t, (_, response) => {
    bytes += body.length
    return !!response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  const { directory } = freeDirectory(t)
  const flags = ['--token', token, '--lists', 'bikesV2', '--rate', '1000']
  const program = ['--max-old-space-size=64', ...typescript, '--import', printMemory, 'src/cli.ts']
  const env = { ...process.env, _TAPJS_PROCESSINFO_COVERAGE_: '0' } // coverage would count what the command doesn't run
  const child = spawn(process.execPath, [...program, 'pull', url, directory, ...flags], { env })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  t.equal(code, 0, stderr)
  const [, memory] = /^memory (\d+)$/m.exec(stdout) ?? []
  t.ok(Number(memory) * 1024 < bytes, `${memory} KB for responses of ${bytes >> 10} KB`)
})
