import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync, chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmdirSync, symlinkSync,
  writeFileSync
} from 'node:fs'
import { Agent } from 'node:http'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { test, type Test } from 'tap'
import { freePort, kept } from '../../tools/process.ts'
import { ask, folder, without } from './machines.ts'

/** The memory limit that docs/guides/deploy.md names, in bytes. */
const memory = 128 * 2 ** 20

const dockerfile = readFileSync('Dockerfile', 'utf8')

const from = /^FROM (node:([\d.]+)-[\w.-]+)(@sha256:[0-9a-f]{64})$/m

/** The base image of the Dockerfile, its version of Node, and its digest, which the image built here lacks. */
const [, base = '', version = '', digest = ''] = from.exec(dockerfile) ?? []

const skip = without('buildah', 'mmdebstrap') || (process.getuid?.() !== 0 && 'only root can build an image')

type Config = {
  Env: string[]
  Entrypoint: string[]
  User: string
  WorkingDir: string
  Healthcheck: { Test: string[], Interval: number }
}

test('the image serves as its user, without writing, within 128 MB, and is healthy', { skip }, async t => {
  const work = folder(t)
  const reason = makeBase(join(work, 'base'))
  if (reason !== '') return t.skip(`a base image cannot be made here: ${reason}`, () => {})
  const { root, config } = buildImage(work)
  const [, ...healthcheck] = config.Healthcheck.Test
  t.equal(config.Healthcheck.Interval, 30e9, 'nanoseconds; each check is a process')
  t.equal(config.User, 'node')
  const port = await freePort()
  const cell = createCell(t, root)
  const inside = (command: readonly string[]) => {
    const environment = [
      ...config.Env,
      `PORT=${port}`,
      'BICYCLE_CATALOGUE_RATE_LIMIT=off',
      'BICYCLE_CATALOGUE_TOKENS=ci',
      'BICYCLE_CATALOGUE_COMPRESS=on'
    ]
    const args = ['--mount', 'sh', '-c', cell, 'sh', config.User, config.WorkingDir, ...environment, ...command]
    return kept(spawn('unshare', args, { env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'pipe'] }))
  }
  const probe = async () => (await once(inside(healthcheck), 'exit'))[0] as unknown

  t.not((await once(inside(['touch', 'probe']), 'exit'))[0], 0, 'it can write nothing')
  const compiled = await text(inside(['NODE_DEBUG_NATIVE=COMPILE_CACHE', ...config.Entrypoint, '--port', 'x']).stderr)
  for (const file of ['cli.js', 'server.cjs']) {
    t.match(compiled, new RegExp(`code cache for .*/app/dist/${file} was accepted`), 'a start compiles no file again')
  }
  t.equal(await probe(), 1, 'a server that does not run is not healthy')
  const server = inside(config.Entrypoint)
  const exited = once(server, 'exit')
  const log: string[] = []
  createInterface(server.stderr).on('line', line => log.push(line))
  const failed = exited.then(([code]) => {
    throw new Error(`it ended with ${code} before it was ready: ${log.join('\n')}`)
  })
  const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), failed])
  failed.catch(() => {}) // it ends later, on SIGTERM
  t.match(JSON.parse(String(line)), { port, data: '/app/data' })

  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const statuses = new Set<number>()
  const lists = ['bikes/', 'wheels/', 'tyres/', 'chains/', 'groupsets/', 'bikes/featured/']
  for (let round = 0; round < 300; round++) {
    const coding = ['br', 'gzip', ''][round % 3] as string
    const headers = { host: `h${round}.test`, 'accept-encoding': coding, authorization: 'Token ci' }
    const list = `/api/v1/${lists[round % lists.length]}`
    const paths = [list, `${list}?format=api`, `/api/v2/bikes/?x=${round}`, `/api/v1/bikes/?page=${round % 5 + 1}`]
    const answers = await Promise.all(paths.map(path => ask(port, path, { headers, agent })))
    for (const { status } of answers) statuses.add(status)
    if (round % 100 === 99) t.equal(await probe(), 0, 'it is healthy under load')
  }
  agent.destroy()
  t.same([...statuses], [200])
  server.kill('SIGTERM')
  t.same(await exited, [0, null], 'SIGTERM reaches it')
  t.same(log, [])
})

function run (command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' }).trim()
}

/** Builds the Dockerfile, without an engine and an image registry; returns the folder of its files, and its config. */
function buildImage (work: string): { root: string, config: Config } {
  const storage = ['--root', join(work, 'images'), '--runroot', join(work, 'run'), '--storage-driver', 'vfs']
  const buildah = (...args: string[]) => run('buildah', ...storage, ...args)
  const empty = buildah('from', 'scratch')
  buildah('copy', '--quiet', empty, join(work, 'base'), '/')
  buildah('commit', '--quiet', '--rm', empty, `docker.io/library/${base}`)

  // npm in the image uses the registry, certificates and cache of npm on this machine.
  const npmrc = join(homedir(), '.npmrc')
  const cafile = process.env['NODE_EXTRA_CA_CERTS']
  const own = existsSync(npmrc) ? readFileSync(npmrc, 'utf8') : ''
  writeFileSync(join(work, 'npmrc'), `${own}\n${cafile === undefined ? '' : `cafile=${cafile}\n`}`)
  const shared = [
    [join(work, 'npmrc'), '/root/.npmrc:ro'],
    ['/etc/ssl/certs', '/etc/ssl/certs:ro'],
    [join(homedir(), '.npm'), '/root/.npm']
  ] as const
  const volumes = shared
    .filter(([here]) => existsSync(here))
    .flatMap(([here, there]) => ['--volume', `${here}:${there}`])
  const flags = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--network', 'host', '--quiet']
  writeFileSync(join(work, 'Dockerfile'), dockerfile.replaceAll(digest, ''))
  buildah('bud', ...flags, ...volumes, '--file', join(work, 'Dockerfile'), '--tag', 'bicycle-catalogue', '.')
  const container = buildah('from', '--pull-never', 'localhost/bicycle-catalogue')
  const { Docker: { config } } = JSON.parse(buildah('inspect', container)) as { Docker: { config: Config } }
  return { root: buildah('mount', container), config }
}

/**
 * Makes a Debian with Node, npm and the user `node`, as the base image. Returns why it can't, such as without a mirror
 * or mounts; otherwise an empty string.
 */
function makeBase (root: string): string {
  chmodSync(dirname(root), 0o755) // apt downloads as its own user
  const packages = ['--variant=essential', '--include=ca-certificates,libstdc++6', 'bookworm']
  const commands = [['unshare', '--mount', 'true'], ['mmdebstrap', '--quiet', ...packages, root]] as const
  for (const [command, ...args] of commands) {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
    if (status !== 0) return stderr.slice(-500)
  }
  const local = join(root, 'usr/local')
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true })
  const node = run('npx', '--yes', '--package', `node@${version}`, '--', 'node', '-p', 'process.execPath')
  copyFileSync(node, join(local, 'bin/node'))
  const npm = join(run('npm', 'root', '--global'), 'npm')
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true })
  for (const name of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name))
  appendFileSync(join(root, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n')
  appendFileSync(join(root, 'etc/group'), 'node:x:1000:\n')
  return ''
}

/**
 * Returns a script that takes a user, a folder, variables and a command. It runs the command in a read-only root,
 * without capabilities, and within the memory limit where cgroups can be made.
 */
function createCell (t: Test, root: string): string {
  const places = [['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'], ['/sys/fs/cgroup', 'memory.max']] as const
  const [place, file] = places.find(([place]) => existsSync(place)) ?? places[1]
  const group = join(place, `bicycle-catalogue-${process.pid}`)
  let enter = ''
  try {
    mkdirSync(group)
    t.teardown(() => rmdirSync(group))
    writeFileSync(join(group, file), String(memory))
    enter = `echo $$ > ${group}/cgroup.procs`
  } catch (error) {
    t.comment(`memory is not limited here: ${(error as Error).message}`)
  }
  return `set -e
    ${enter}
    mount --bind ${root} ${root} && mount -o remount,bind,ro ${root}
    mount --bind /dev ${root}/dev && mount -t proc proc ${root}/proc
    user=$1 folder=$2; shift 2
    exec chroot ${root} setpriv --reuid=$user --regid=$user --clear-groups --no-new-privs --bounding-set=-all \\
      env -i --chdir=$folder "$@"`
}
