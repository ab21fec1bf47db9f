import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { test } from 'tap'
import { catalogue } from './helper.ts'
import { dataDirectory, version } from '../src/package.ts'

function node (...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } })
  return { status, stdout, stderr }
}

test('npm run build', async t => {
  const folder = t.testdir()
  const command = join(folder, 'cli.js')
  t.strictSame(node('scripts/build.js', folder), { status: 0, stdout: '', stderr: '' })
  t.strictSame(node(command, '--version'), { status: 0, stdout: `${version}\n`, stderr: '' }, 'the command')

  const broken = 'data:text/javascript,Date.prototype.toUTCString = () => { throw new Error("broken") }'
  t.match(node('--import', broken, command, '--port', '0'), { status: 1, stdout: '', stderr: /src\/lists\/representation\.ts:\d+:\d+/ }, 'a stack')

  const checker = new Worker(join(folder, 'checker.js'), { workerData: { data: dataDirectory } })
  t.strictSame(await once(checker, 'message'), [{ digest: catalogue.digest }], 'the thread that checks data')

  const licences = readFileSync(join(folder, 'licences.txt'), 'utf8')
  for (const [, name, licence, text] of licences.matchAll(/^(\S+) \d\S+, (.*)\n\n((?:.*\n)*?)\n-{80}$/gm)) {
    t.match(`${licence}\n${text}`, /^(?:MIT|ISC|BSD-\d-Clause|Apache-2\.0|BlueOak-1\.0\.0)\n/, `${name} may be part of the package`)
  }
  t.match(licences, /^fastify \d+\.\d+\.\d+, MIT\n\nMIT License\n/m)
})
