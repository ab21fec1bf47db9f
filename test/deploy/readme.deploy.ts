import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test, type Test } from 'tap'
import { kept } from '../../tools/process.ts'
import { read } from '../documents.ts'
import { bareClone, folder, outputOf } from './machines.ts'

const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', BICYCLE_CATALOGUE_LOG_FORMAT: 'json' }

/** The commands of a section of README.md. */
function commandsOf (heading: string): string[] {
  const [, section = ''] = read('README.md').split(`## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, code = '']) => code.trim().split('\n'))
}

/** Starts a command in its own process group, and returns the URL of its server. The server stops after the test. */
async function serve (t: Test, line: string, cwd: string): Promise<string> {
  const child = kept(spawn('sh', ['-c', line], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }))
  const exited = once(child, 'exit')
  t.teardown(async () => {
    process.kill(-(child.pid as number), 'SIGTERM')
    await exited
  })
  const errors = text(child.stderr)
  let output = ''
  for await (const [chunk] of on(child.stdout, 'data', { close: ['end'] })) { // leaves the output open
    output += String(chunk)
    const [, url] = /^\{"event":"listening","url":"([^"]+)"/m.exec(output) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`${line} ended:\n${output}${await errors}`)
}

/** Sends the request of a command, and returns the status of the response. */
function statusOf (line: string, url: string): number {
  const command = line.replace('http://localhost:3000', url).replace(/^curl /, '$&-sS -o /dev/null -w "%{http_code}" ')
  return Number(outputOf('sh', '-c', command))
}

test('README.md: every command works in a bare clone and in a project, up to a failing request', async t => {
  const clone = bareClone(t)
  const inClone = commandsOf('In a clone')
  t.equal(inClone.filter(line => line === 'npm ci && npm test').length, 1, 'which .ci/run runs')
  const started = await serve(t, 'npm ci && npm start', clone)
  const [page = '', beyond = '', develop = '', list = '', failing = ''] = inClone.slice(1)
  t.equal(statusOf(page, started), 200, page)
  t.equal(statusOf(beyond, started), 404, beyond)
  t.equal(develop, 'npm run dev')
  const developed = await serve(t, develop, clone)
  t.equal(statusOf(list, developed), 200, list)
  t.equal(statusOf(failing, developed), 503, failing)

  const project = folder(t)
  writeFileSync(join(project, 'package.json'), '{}')
  const [pack = '', install = '', dev = '', ...requests] = commandsOf('In your project')
  outputOf('sh', '-c', `cd ${clone} && ${pack}`)
  for (const file of readdirSync(clone).filter(file => file.endsWith('.tgz'))) {
    copyFileSync(join(clone, file), join(project, file))
  }
  outputOf('sh', '-c', `cd ${project} && ${install}`)
  const installed = await serve(t, dev, project)
  t.same(requests.map(line => statusOf(line, installed)), [200, 503])
})
