import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { test } from 'tap'
import { parse } from 'yaml'
import { settingsTable, variablesOf, type Setting } from '../../src/settings/settings.ts'
import { folder, outputOf, shipped, without } from './machines.ts'

type Workflow = { jobs: Record<string, { steps: { run?: string, uses?: string, with?: object }[] }> }

const settings = Object.entries<Setting>(settingsTable)
const variables: readonly string[] = settings.flatMap(([key, row]) => variablesOf(key, row))
const { validate } = createRequire(resolve('tools/package.json'))('dockerfile-utils') as {
  validate: (text: string) => unknown[]
}
const unit = 'deploy/bicycle-catalogue@.service'

test('Dockerfile', async t => {
  const text = readFileSync('Dockerfile', 'utf8')
  t.same(validate(text), [])
  const images = [...text.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, image]) => image)
  t.match(images[0], /^node:\d+\.\d+\.\d+-\w+-slim@sha256:[0-9a-f]{64}$/)
  t.same(images.slice(1), [images[0]])
  t.match(text, 'npm ci --ignore-scripts')
  const [all, ...others] = readFileSync('.dockerignore', 'utf8').trim().split('\n')
  t.equal(all, '*', 'the build gets only the files that are named')
  for (const name of others) t.ok(existsSync(name.slice(1)), name)
})

test('compose.yaml', { skip: without('nginx') }, async t => {
  t.equal(outputOf('tools/node_modules/.bin/dclint', '--quiet', 'compose.yaml'), '')
  type Service = {
    image: string
    build?: string
    environment?: object
    read_only?: boolean
    cap_drop?: string[]
    command?: string[]
  }
  const compose = readFileSync('compose.yaml', 'utf8')
  const { services } = parse(compose, { merge: true }) as { services: Record<string, Service> }
  for (const [name, service] of Object.entries(services)) {
    t.strictSame([service.read_only, service.cap_drop], [true, ['ALL']], name)
    if (service.build === undefined) t.match(service.image, /@sha256:[0-9a-f]{64}$/, name)
    for (const variable of Object.keys(service.environment ?? {})) {
      t.ok(variables.includes(variable), `${variable} is a setting`)
    }
  }

  const path = folder(t)
  const own = shipped('deploy/nginx.conf', {
    'listen 80; listen [::]:80;': `listen unix:${path}/socket;`,
    '/var/cache': path
  })
  writeFileSync(join(path, 'bicycle-catalogue.conf'), own)
  const [, , script = ''] = services['nginx']?.command ?? []
  const [rewrite] = script.replaceAll('/etc/nginx/conf.d', path).replaceAll('/etc/nginx', path).split(' && exec ')
  outputOf('sh', '-c', String(rewrite))
  t.match(readFileSync(join(path, 'default.conf'), 'utf8'), /server 172.30.57.11:3000 .*\n *server 172.30.57.12:3000 /)
  const main = `pid ${path}/pid; events {} http { access_log off; include ${path}/default.conf; }`
  writeFileSync(join(path, 'nginx.conf'), main)
  outputOf('nginx', '-t', '-e', `${path}/errors`, '-c', `${path}/nginx.conf`)
})

test(unit, { skip: without('systemd') }, async t => {
  const file = join(folder(t), 'bicycle-catalogue@3001.service')
  const command = `${process.execPath} ${resolve('dist/cli.js')}`
  writeFileSync(file, shipped(unit, { 'ExecStart=bicycle-catalogue': `ExecStart=${command}` }))
  t.equal(outputOf('systemd-analyze', 'verify', file), '')
  const flags = ['--offline=true', '--threshold=10', '--no-pager']
  t.match(outputOf('systemd-analyze', 'security', ...flags, file), /exposure level.*: 1\.0 OK/)
  for (const [, assignments = ''] of readFileSync(unit, 'utf8').matchAll(/^Environment=(.+)/gm)) {
    for (const assignment of assignments.split(' ')) {
      const [variable = ''] = assignment.split('=')
      const isKnown = variables.includes(variable) || /^(?:NODE_OPTIONS|MALLOC_\w+)$/.test(variable)
      t.ok(isKnown, `${variable} is a setting`)
    }
  }
})

test('the unit allows every system call of the server', { skip: without('systemd', 'strace') }, async t => {
  const trace = join(folder(t), 'trace')
  const script = `
    strace -f -o ${trace} ${process.execPath} dist/cli.js --port 0 --compress on \\
      > ${trace}.ready 2> /dev/null & tracer=$!
    until [ -s ${trace}.ready ]; do sleep 0.1; done
    url=$(node -p 'JSON.parse(require("fs").readFileSync("${trace}.ready")).url')
    pid=$(node -p 'JSON.parse(require("fs").readFileSync("${trace}.ready")).pid')
    for path in /api/v1/bikes/ /media/saddles/1.jpg / /readyz; do
      curl -sf -H 'Accept-Encoding: br' -o /dev/null $url$path
    done
    kill -HUP $pid; kill -TERM $pid; wait $tracer`
  outputOf('bash', '-euc', script)
  const calls = readFileSync(trace, 'utf8').matchAll(/^\d+ +(?:\[[^\]]*\] )?([a-z]\w+)\(/gm)
  const called = new Set([...calls].map(([, name]) => name ?? ''))
  const filters = /^SystemCallFilter=(@.*)\nSystemCallFilter=~(.*)$/m
  const [, allowed = '', denied = ''] = filters.exec(readFileSync(unit, 'utf8')) ?? []
  const inside = callsOf(allowed.split(' '))
  const outside = callsOf(denied.split(' '))
  t.ok(called.has('epoll_wait') || called.has('epoll_pwait'), 'it was traced')
  t.same([...called].filter(name => !inside.has(name) || outside.has(name)), [])
})

test('the workflows run what a maintainer runs', async t => {
  const textOf = (file: string) => readFileSync(`.github/workflows/${file}`, 'utf8')
  const stepsOf = (file: string) => Object.values((parse(textOf(file)) as Workflow).jobs).flatMap(({ steps }) => steps)
  const named = readdirSync('.github/workflows').map(textOf).join('').match(/(?:uses|image): .*/g) ?? []
  const isPinned = (line: string) => /@[0-9a-f]{40} # v\d+\.\d+\.\d+$|@sha256:[0-9a-f]{64}/.test(line)
  t.same(named.filter(line => !isPinned(line)), [], 'actions are pinned by commit, images by digest')
  t.ok(stepsOf('ci.yml').some(({ run }) => run?.includes('bash .ci/run')))
  t.ok(stepsOf('weekly.yml').some(({ run }) => run === 'bash .ci/run --all'))
  const release = stepsOf('release.yml')
  const commands = release.map(({ run }) => run)
  const ofNpm = commands.filter(run => run?.startsWith('npm'))
  t.same(ofNpm, ['npm ci --ignore-scripts', 'npm pack', 'npm run audit'], 'no package runs a script')
  const published = commands.find(run => run?.startsWith('gh release create'))
  t.match(published, 'bicycle-catalogue-*.tgz dist/sbom.json ')
  const listed = release.filter(({ uses }) => uses?.startsWith('actions/attest-sbom@'))
  t.match(listed, [{ with: { 'sbom-path': 'dist/sbom.json' } }, { with: { 'sbom-path': 'sbom.json' } }])
  t.ok(commands.some(run => run?.endsWith('dist/sbom.json > sbom.json')), 'the image contains its SBOM')
  const attested = release.filter(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'))
  t.match(attested, [{ with: { 'subject-path': 'bicycle-catalogue-*.tgz' } }, { with: { 'push-to-registry': true } }])
})

test('CI compares the OpenAPI document with that of the last release, or of the parent', async t => {
  const workflow = parse(readFileSync('.github/workflows/ci.yml', 'utf8')) as Workflow
  const script = workflow.jobs['openapi']?.steps.at(-1)?.run ?? ''
  const clone = folder(t)
  const text = readFileSync('schemas/openapi.json', 'utf8')
  mkdirSync(join(clone, 'schemas'))
  symlinkSync(resolve('tools'), join(clone, 'tools'))
  copyFileSync('redocly.yaml', join(clone, 'redocly.yaml'))
  const git = (...args: string[]) => outputOf('git', '-C', clone, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args)
  const commit = (changed: string) => {
    writeFileSync(join(clone, 'schemas/openapi.json'), changed)
    git('add', 'schemas')
    git('commit', '--quiet', '--allow-empty', '--message', 'x')
  }
  const compare = () => spawnSync('bash', ['-e', '-c', script], { cwd: clone, encoding: 'utf8' })
  git('init', '--quiet')
  commit(text)
  t.not(compare().status, 0, 'there is nothing to compare with')
  commit(text)
  t.equal(compare().status, 0, 'nothing differs from the parent')
  commit(text.replace('"/api/v1/saddles/"', '"/api/v1/other/"'))
  git('tag', 'v1.0.0')
  const { status, stdout, stderr } = compare()
  t.equal(status, 1, 'a path is missing')
  t.match(stdout + stderr, '(path-removed)')
  commit(text.replace('"/api/v1/saddles/"', '"/api/v1/another/"'))
  t.match(compare().stdout, 'Path `/api/v1/other/`', 'it is compared with the release')
})

/** Returns the system calls in groups of systemd, and in the groups within these. */
function callsOf (groups: readonly string[]): ReadonlySet<string> {
  if (groups.length === 0) return new Set()
  const names = outputOf('systemd-analyze', 'syscall-filter', ...groups).split('\n')
    .filter(line => /^ +[@a-z]/.test(line))
    .map(line => line.trim().split(' ')[0] ?? '')
  const calls = names.filter(name => !name.startsWith('@'))
  return new Set([...calls, ...callsOf(names.filter(name => name.startsWith('@')))])
}
