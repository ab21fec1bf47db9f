import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { validate } from 'dockerfile-utils'
import { test } from 'tap'
import { parse } from 'yaml'
import { settingsTable, variablesOf, type Setting } from '../../src/settings/settings.ts'
import { folder, outputOf, shipped, without } from './machines.ts'

const variables: readonly string[] = Object.entries<Setting>(settingsTable).flatMap(([key, row]) => variablesOf(key, row))
const unit = 'deploy/bicycle-catalogue@.service'

test('Dockerfile', async t => {
  const text = readFileSync('Dockerfile', 'utf8')
  t.same(validate(text), [])
  const images = [...text.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, image]) => image)
  t.match(images[0], /^node:\d+\.\d+\.\d+-\w+-slim@sha256:[0-9a-f]{64}$/)
  t.same(images.slice(1), [images[0]])
  t.match(text, 'npm ci --ignore-scripts')
  const [all, ...others] = readFileSync('.dockerignore', 'utf8').trim().split('\n')
  t.equal(all, '*', 'nothing is sent to the build but what is named')
  for (const name of others) t.ok(existsSync(name.slice(1)), name)
})

test('compose.yaml', { skip: without('nginx') }, async t => {
  t.equal(outputOf('node_modules/.bin/dclint', '--quiet', 'compose.yaml'), '')
  type Service = { image: string, build?: string, environment?: object, read_only?: boolean, cap_drop?: string[], command?: string[] }
  const { services } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as { services: Record<string, Service> }
  for (const [name, { image, build, environment = {}, read_only: isReadOnly, cap_drop: dropped }] of Object.entries(services)) {
    t.strictSame([isReadOnly, dropped], [true, ['ALL']], name)
    if (build === undefined) t.match(image, /@sha256:[0-9a-f]{64}$/, name)
    for (const variable of Object.keys(environment)) t.ok(variables.includes(variable), `${variable} is a setting`)
  }

  const path = folder(t)
  const own = shipped('deploy/nginx.conf', { 'listen 80; listen [::]:80;': `listen unix:${path}/socket;`, '/var/cache': path })
  writeFileSync(join(path, 'bicycle-catalogue.conf'), own)
  const [, , script = ''] = services['nginx']?.command ?? []
  const [rewrite] = script.replaceAll('/etc/nginx/conf.d', path).replaceAll('/etc/nginx', path).split(' && exec ')
  outputOf('sh', '-c', String(rewrite))
  t.match(readFileSync(join(path, 'default.conf'), 'utf8'), /server 172.30.57.11:3000 .*\n *server 172.30.57.12:3000 /)
  writeFileSync(join(path, 'nginx.conf'), `pid ${path}/pid; events {} http { access_log off; include ${path}/default.conf; }`)
  outputOf('nginx', '-t', '-e', `${path}/errors`, '-c', `${path}/nginx.conf`)
})

test(unit, { skip: without('systemd') }, async t => {
  const file = join(folder(t), 'bicycle-catalogue@3001.service')
  const command = `${process.execPath} ${resolve('dist/cli.js')}`
  writeFileSync(file, shipped(unit, { 'ExecStart=bicycle-catalogue': `ExecStart=${command}` }))
  t.equal(outputOf('systemd-analyze', 'verify', file), '')
  t.match(outputOf('systemd-analyze', 'security', '--offline=true', '--threshold=10', '--no-pager', file), /exposure level.*: 1\.0 OK/)
  for (const [, assignments = ''] of readFileSync(unit, 'utf8').matchAll(/^Environment=(.+)/gm)) {
    for (const assignment of assignments.split(' ')) {
      const [variable = ''] = assignment.split('=')
      t.ok(variable === 'NODE_OPTIONS' || variables.includes(variable), `${variable} is a setting`)
    }
  }
})

test('the calls of the server are those that its unit allows', { skip: without('systemd', 'strace') }, async t => {
  const trace = join(folder(t), 'trace')
  const script = `
    strace -f -o ${trace} ${process.execPath} dist/cli.js --port 0 --compress on > ${trace}.ready 2> /dev/null & tracer=$!
    until [ -s ${trace}.ready ]; do sleep 0.1; done
    url=$(node -p 'JSON.parse(require("fs").readFileSync("${trace}.ready")).url')
    pid=$(node -p 'JSON.parse(require("fs").readFileSync("${trace}.ready")).pid')
    for path in /api/v1/bikes/ /media/saddles/1.jpg / /readyz; do curl -sf -H 'Accept-Encoding: br' -o /dev/null $url$path; done
    kill -HUP $pid; kill -TERM $pid; wait $tracer`
  outputOf('bash', '-euc', script)
  const called = new Set([...readFileSync(trace, 'utf8').matchAll(/^\d+ +(?:\[[^\]]*\] )?([a-z]\w+)\(/gm)].map(([, name]) => name ?? ''))
  const [, allowed = '', denied = ''] = /^SystemCallFilter=(@.*)\nSystemCallFilter=~(.*)$/m.exec(readFileSync(unit, 'utf8')) ?? []
  const inside = callsOf(allowed.split(' '))
  const outside = callsOf(denied.split(' '))
  t.ok(called.has('epoll_wait') || called.has('epoll_pwait'), 'it was traced')
  t.same([...called].filter(name => !inside.has(name) || outside.has(name)), [])
})

test('the workflows run what a maintainer runs', async t => {
  type Workflow = { jobs: Record<string, { steps: { run?: string, uses?: string, with?: object }[] }> }
  const textOf = (file: string) => readFileSync(`.github/workflows/${file}`, 'utf8')
  const stepsOf = (file: string) => Object.values((parse(textOf(file)) as Workflow).jobs).flatMap(({ steps }) => steps)
  const named = `${textOf('ci.yml')}${textOf('release.yml')}`.match(/(?:uses|image): .*/g) ?? []
  const isPinned = (line: string) => /@[0-9a-f]{40} # v\d+\.\d+\.\d+$|@sha256:[0-9a-f]{64}/.test(line)
  t.same(named.filter(line => !isPinned(line)), [], 'actions are pinned by commit, images by digest')
  t.ok(stepsOf('ci.yml').some(({ run }) => run?.includes('bash .ci/run')))
  const release = stepsOf('release.yml')
  const commands = release.map(({ run }) => run)
  t.same(commands.filter(run => run?.startsWith('npm')), ['npm ci --ignore-scripts', 'npm pack'], 'no package runs a script')
  t.ok(commands.some(run => run?.startsWith('gh release create') && run.includes('bicycle-catalogue-*.tgz')))
  const attested = release.filter(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'))
  t.match(attested, [{ with: { 'subject-path': 'bicycle-catalogue-*.tgz' } }, { with: { 'push-to-registry': true } }])
})

/** The system calls in groups of systemd, and in the groups that these name. */
function callsOf (groups: readonly string[]): ReadonlySet<string> {
  if (groups.length === 0) return new Set()
  const names = outputOf('systemd-analyze', 'syscall-filter', ...groups).split('\n')
    .filter(line => /^ +[@a-z]/.test(line)).map(line => line.trim().split(' ')[0] ?? '')
  return new Set([...names.filter(name => !name.startsWith('@')), ...callsOf(names.filter(name => name.startsWith('@')))])
}
