import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test, type Test } from 'tap'
import { kept } from '../../scripts/torture/server.ts'
import { ask, folder, freePort } from './machines.ts'

/** The user of the image, by number, as on a machine that has none of its name. */
const user = 1000

/** What the README says that it takes. */
const memory = 96 * 2 ** 20

const isRoot = process.getuid?.() === 0
const skip = !isRoot && process.env['CI'] !== 'true' && 'root alone can imitate a container'

test('what the Dockerfile says runs in an empty folder, as its user, without writing, within 96 MB', { skip }, async t => {
  const { root, workdir, environment, healthcheck, entrypoint, node } = build(t)
  const port = await freePort()
  const settings = { PORT: String(port), RATE_LIMIT: 'off', TOKENS: 'ci', COMPRESS: 'on' }
  const env = { ...environment, ...settings, OPTIONS_OF_NODE: environment['NODE_OPTIONS'], PATH: `${node}:/usr/bin:/bin` }
  const cell = createCell(t, workdir)
  const inside = (command: readonly string[]) => {
    return kept(spawn('unshare', ['--mount', 'sh', '-c', cell, 'sh', ...command], { cwd: workdir, env, stdio: ['ignore', 'pipe', 'pipe'] }))
  }
  const probe = async () => (await once(inside(healthcheck), 'exit'))[0] as unknown

  t.notSame((await once(inside(['touch', join(workdir, 'probe')]), 'exit'))[0], 0, 'it can write nothing')
  t.equal(await probe(), 1, 'a server that does not run is not healthy')
  const server = inside(entrypoint)
  const exited = once(server, 'exit')
  const log: string[] = []
  createInterface(server.stderr).on('line', line => log.push(line))
  const failed = exited.then(([code]) => { throw new Error(`it ended with ${code} before it was ready: ${log.join('\n')}`) })
  const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), failed])
  failed.catch(() => {}) // it ends later, as it is told
  t.match(JSON.parse(String(line)), { url: `http://127.0.0.1:${port}`, data: join(root, 'app/data') })

  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const statuses = new Set<number>()
  const lists = ['bikes/', 'wheels/', 'tyres/', 'chains/', 'groupsets/', 'bikes/featured/']
  for (let round = 0; round < 600; round++) {
    const headers = { host: `h${round}.test`, 'accept-encoding': ['br', 'gzip', ''][round % 3] as string }
    const list = `/api/v1/${lists[round % lists.length]}`
    const paths = [list, `${list}?format=api`, `/api/v2/bikes/?x=${round}`, `/api/v1/bikes/?page=${round % 5 + 1}`]
    const answers = await Promise.all(paths.map(path => ask(port, path, { headers: { ...headers, authorization: 'Token ci' }, agent })))
    for (const { status } of answers) statuses.add(status)
    if (round % 200 === 199) t.equal(await probe(), 0, 'it is healthy under load')
  }
  agent.destroy()
  t.same([...statuses], [200])
  server.kill('SIGTERM')
  t.same(await exited, [0, null], 'SIGTERM reaches it')
  t.same(log, [])
})

type Image = Record<'root' | 'workdir' | 'node', string> & Record<'healthcheck' | 'entrypoint', string[]> & { environment: Record<string, string> }

/** Does what the Dockerfile says, each stage in a folder of its own in place of the root of its image. */
function build (t: Test): Image {
  const work = folder(t)
  chmodSync(work, 0o755)
  const context = join(work, 'context')
  for (const name of readFileSync('.dockerignore', 'utf8').trim().split('\n').slice(1)) cpSync(name.slice(1), join(context, name.slice(1)), { recursive: true })
  const stages: Record<string, string> = {}
  const image: Image = { root: '', workdir: '', node: '', healthcheck: [], entrypoint: [], environment: {} }
  const instructions: Readonly<Record<string, (words: string[], text: string) => unknown>> = {
    FROM ([base = '', , name = 'image']) {
      image.root = stages[name] = join(work, name)
      image.node ||= nodeOf(base, work)
    },
    WORKDIR ([path = '']) { mkdirSync(image.workdir = join(image.root, path), { recursive: true }) },
    COPY (words) {
      const [flag = ''] = words.filter(word => word.startsWith('--from='))
      const source = flag === '' ? context : stages[flag.slice('--from='.length)] as string
      const paths = words.filter(word => word !== flag)
      const target = join(image.workdir, paths.pop() as string)
      for (const path of paths) cpSync(join(source, path), paths.length > 1 ? join(target, path.split('/').at(-1) as string) : target, { recursive: true })
    },
    RUN (_, text) {
      const env = { ...process.env, PATH: `${image.node}:${process.env['PATH']}`, npm_config_prefer_offline: 'true' }
      const { status, stderr } = spawnSync('sh', ['-c', text], { cwd: image.workdir, env, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${text}: ${stderr}`)
    },
    ENV (_, text) {
      for (const [, name = '', quoted, plain] of text.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)) image.environment[name] = quoted ?? plain ?? ''
    },
    USER: ([name]) => t.equal(name, 'node', 'a user without rights'),
    EXPOSE: ([port]) => t.equal(port, '3000'),
    HEALTHCHECK: (_, text) => { image.healthcheck = JSON.parse(text.slice(text.indexOf('['))) as string[] },
    ENTRYPOINT: (_, text) => { image.entrypoint = JSON.parse(text) as string[] }
  }
  for (const line of readFileSync('Dockerfile', 'utf8').split('\n').filter(line => /^[A-Z]/.test(line))) {
    const [, instruction = '', text = ''] = /^(\S+) (.*)$/.exec(line) ?? []
    const follow = instructions[instruction]
    if (follow === undefined) throw new Error(`nobody knows what ${instruction} does`)
    follow(text.split(' '), text)
  }
  return image
}

/** The folder of the Node that an image brings, from the package of that version. */
function nodeOf (image: string, work: string): string {
  const version = image.replace(/^node:([\d.]+)-.*$/, '$1')
  const { stdout } = spawnSync('npx', ['--yes', '--package', `node@${version}`, '--', 'node', '-p', 'process.execPath'], { encoding: 'utf8' })
  mkdirSync(join(work, 'bin'))
  copyFileSync(stdout.trim(), join(work, 'bin/node'))
  return join(work, 'bin')
}

/**
 * A script that runs its arguments as the user, with every file read-only and, where the kernel lets us, in so much memory; without
 * the modules that a test runner has every process load.
 */
function createCell (t: Test, workdir: string): string {
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
    mount -o remount,bind,ro /
    mount --bind ${workdir} ${workdir} && mount -o remount,bind,ro ${workdir}
    exec setpriv --reuid=${user} --regid=${user} --clear-groups --no-new-privs --bounding-set=-all env NODE_OPTIONS="$OPTIONS_OF_NODE" "$@"`
}
