import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { test } from 'tap'
import { version } from '../../src/package.ts'
import { freePort, start } from '../../tools/process.ts'
import { certify } from '../certificate.ts'
import { commands, partsOf, read } from '../documents.ts'
import { runDocument } from '../run-document.ts'
import { ask, folder, outputOf, startProxy, startReplica, without } from './machines.ts'

const operating = ['docs/guides/deploy.md', 'docs/guides/maintain.md']

const isOfPrometheus = (line: string) => line.startsWith('promtool ')

const own = commands.filter(({ place }) => place === 'test/deploy/documents.deploy.ts')

/** Returns the first code block of a language in a document. */
function blockOf (page: string, language: string): string {
  const block = new RegExp(`\`\`\`${language}\\n([^]*?)\n\`\`\``)
  return block.exec(read(page))?.[1] ?? ''
}

/** Runs commands one after the other, in a folder that has the tarball. */
function runIn (folder: string, lines: readonly string[]): void {
  outputOf('sh', '-euc', [`cd ${folder}`, ...lines].join('\n'))
}

test('the commands that install the tarball', async t => {
  const tarball = folder(t)
  outputOf('npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', tarball)

  await t.test('in a project', async t => {
    const project = folder(t)
    cpSync(tarball, project, { recursive: true })
    const installs = own.filter(({ page, line }) => page === 'docs/guides/test.md' && line.includes('.tgz'))
    const generates = own.filter(({ line }) => line.includes('openapi-typescript'))
    for (const commands of [installs, generates]) runIn(project, commands.map(({ line }) => line))
    t.match(readFileSync(join(project, 'catalogue.d.ts'), 'utf8'), 'export interface paths')
    t.same(readdirSync(join(project, 'node_modules')).filter(name => !name.startsWith('.')), ['bicycle-catalogue'])
  })

  await t.test('docs/getting-started.md, as printed', async t => {
    const cwd = folder(t)
    cpSync(tarball, cwd, { recursive: true })
    const env = { PATH: `${cwd}/node_modules/.bin:${process.env['PATH']}`, HOME: process.env['HOME'], PORT: '0' }
    const how = { cwd, env, service: '', place: 'test/deploy/documents.deploy.ts' } as const
    const outputs = await runDocument(t, 'docs/getting-started.md', how)
    t.same(outputs.filter(output => output === '48\n').length, 2)
    t.match(outputs.at(-1), /^# pass 1$/m)
  })

  await t.test('axios of docs/guides/clients.md', async t => {
    const [program] = partsOf('docs/guides/clients.md').filter(({ text }) => text.includes("from 'axios'"))
    const cwd = folder(t)
    writeFileSync(join(cwd, 'client.mjs'), `${program?.text}console.log(data.count)`)
    outputOf('npm', 'install', '--silent', '--prefix', cwd, 'axios@1')
    const { url } = await startReplica(t, [])
    t.equal(outputOf('env', `CATALOGUE_URL=${url}`, process.execPath, join(cwd, 'client.mjs')), '48')
  })

  const asRoot = { skip: process.getuid?.() !== 0 && 'only root can give a file to a user' }
  await t.test('and all others of docs/guides/deploy.md', asRoot, async t => {
    const root = folder(t)
    cpSync(tarball, root, { recursive: true })
    const directories = [
      'etc/nginx/conf.d', 'etc/prometheus', 'etc/systemd/system', 'usr/local/bin', 'var/cache/bicycle-catalogue'
    ]
    for (const path of directories) mkdirSync(join(root, path), { recursive: true })
    cpSync('data', join(root, 'srv/bicycles'), { recursive: true })
    const lines = own.filter(({ page, line }) => operating.includes(page) && !isOfPrometheus(line))
      .map(({ line }) => line.replaceAll(/(?<= )\/(?=(?:etc|opt|srv|usr|var)\/)/g, `${root}/`))
    runIn(root, [`PATH=${root}/usr/local/bin:$PATH`, ...lines])

    for (const [file, copy] of [
      ['bicycle-catalogue@.service', 'systemd/system/bicycle-catalogue@.service'],
      ['nginx.conf', 'nginx/conf.d/bicycle-catalogue.conf'],
      ['prometheus-alerts.yml', 'prometheus/prometheus-alerts.yml']
    ] as const) {
      t.equal(readFileSync(join(root, 'etc', copy), 'utf8'), read(`deploy/${file}`), file)
    }
    const secret = join(root, 'etc/bicycle-catalogue/token-secret')
    t.equal(statSync(secret).mode & 0o777, 0o600)
    const command = join(root, 'usr/local/bin/bicycle-catalogue')
    t.equal(outputOf(command, '--version'), version)
    const server = await start([command, '--port', '0', '--token-secret-file', secret])
    t.equal((await fetch(`${server.url}/api/v1/saddles/`)).status, 200)
    await server.stop()
  })
})

/** Returns the values that turn on HTTPS, as the comments of nginx.conf say. */
function secured (site: string, port: number) {
  const { tlsCert, tlsKey } = certify(site)
  const redirect = read('deploy/nginx.conf').slice(read('deploy/nginx.conf').lastIndexOf('# server {'))
  return {
    [redirect]: redirect.replace(/^# /gm, ''),
    '  listen 80; listen [::]:80;\n  # HTTPS': '  # HTTPS',
    '# listen 443 ssl; listen [::]:443 ssl;': `listen 127.0.0.1:${port} ssl;`,
    '/etc/ssl/bikes.pem': tlsCert,
    '/etc/ssl/bikes.key': tlsKey
  }
}

const skip = without('nginx')

test('nginx serves ACME challenges, and HTTPS with a redirect, as its comments say', { skip }, async t => {
  const replica = await startReplica(t, [])
  const [site, port] = [folder(t), await freePort()]
  mkdirSync(join(site, '.well-known/acme-challenge'), { recursive: true })
  writeFileSync(join(site, '.well-known/acme-challenge/abc'), 'abc.def')
  const ports = [replica.port, replica.port] as const
  const first = await startProxy(t, 'nginx', ports, [], { '/var/www/acme': site })
  const plain = await startProxy(t, 'nginx', ports, [], { ...secured(site, port), '/var/www/acme': site })
  for (const proxy of [first, plain]) {
    const challenge = await ask(proxy, '/.well-known/acme-challenge/abc')
    t.match(challenge, { status: 200, body: 'abc.def' }, String(proxy))
  }
  const path = '/api/v1/chains/?page=1'
  t.match(await ask(plain, path), { status: 301, headers: { location: `https://bikes.test${path}` } })
  const ca = readFileSync(join(site, 'cert.pem'))
  const secure = get({ host: '127.0.0.1', port, path, headers: { host: 'bikes.test' }, servername: 'localhost', ca })
  const [response] = await once(secure, 'response') as [IncomingMessage]
  t.match(await text(response), '"next":"https://bikes.test/api/v1/chains/?page=2"')
})

test('nginx limits an address with a 429 that clients can read, but no page of the site', { skip }, async t => {
  const replica = await startReplica(t, ['--rate-limit', 'off'])
  const proxy = await startProxy(t, 'nginx', [replica.port, replica.port], [], { 'burst=200': 'burst=200' })
  const home = await ask(proxy, '/')
  const links = home.body.matchAll(/(?:src|href)="(\/[^"]+\.(?:jpg|png|css|js|svg))"/g)
  const files = await Promise.all([...links].map(([, path = '']) => ask(proxy, path)))
  t.same(files.filter(({ status }) => status !== 200), [])
  const responses = await Promise.all(Array.from({ length: 400 }, () => ask(proxy, '/api/v1/saddles/')))
  const limited = responses.find(({ status }) => status === 429)
  t.match(limited, {
    headers: {
      'content-type': 'application/json',
      'retry-after': '1',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store'
    },
    body: '{"detail":"Request was throttled. Expected available in 1 second."}'
  })
  t.ok(responses.filter(({ status }) => status === 200).length > 50)
})

test('quicktype writes plain types of every list, by the commands of docs/guides/clients.md', async t => {
  const cwd = folder(t)
  const { url } = await startReplica(t, ['--paginate', 'always', '--fitness-name', 'own'])
  const lines = own.filter(({ line }) => line.includes(' quicktype'))
    .map(({ line }) => line.replace('http://localhost:3000', url))
  t.equal(lines.length, 3)
  runIn(cwd, lines)
  for (const [file, page, bike, gear] of [
    ['Catalogue.kt', 'data class WheelPage (', 'val results: List<Bike>', '@SerialName("own_gear_id")'],
    ['Catalogue.swift', 'struct WheelPage: Codable {', 'let results: [Bike]', 'case ownGearID = "own_gear_id"'],
    ['catalogue.dart', 'class WheelPage {', 'List<Bike> results', 'json["own_gear_id"]']
  ] as const) {
    const text = readFileSync(join(cwd, file), 'utf8')
    for (const part of [page, bike, gear]) t.ok(text.includes(part), `${file}: ${part}`)
    t.notMatch(text, /BikeArray|Union/, file)
  }
})

test('the configuration of Prometheus, and its commands in docs/guides/deploy.md', { skip: without('promtool') }, t => {
  const lines = own.filter(({ line }) => isOfPrometheus(line))
  const [check, tested, ...others] = lines.map(({ line }) => outputOf('sh', '-c', `cd deploy && ${line}`))
  t.match(check, 'SUCCESS: 6 rules found')
  t.match(tested, 'SUCCESS')
  t.same(others, [])
  const file = join(folder(t), 'prometheus.yml')
  writeFileSync(file, blockOf('docs/guides/deploy.md', 'yaml').replace('/etc/prometheus/', `${resolve('deploy')}/`))
  t.match(outputOf('promtool', 'check', 'config', file), 'SUCCESS: 6 rules found')
  t.end()
})

const monitor = 'docs/guides/monitor.md'

test('each alert has a line of docs/guides/monitor.md, and a condition in docs/reference/operation.md', t => {
  const rules = read('deploy/prometheus-alerts.yml')
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name)
  const metrics = [...rules.matchAll(/bicycle_catalogue_\w+/g)].map(([name]) => name)
  t.equal(alerts.length, 6)
  for (const page of [monitor, 'docs/reference/operation.md']) {
    t.same([...read(page).matchAll(/^[|-] `(BicycleCatalogue\w+)`/gm)].map(([, name]) => name), alerts, page)
  }
  for (const name of metrics) t.ok(read('docs/reference/operation.md').includes(name), name)
  t.end()
})

test('the commands of docs/guides/monitor.md print what it says', async t => {
  const [ask = '', log = ''] = partsOf(monitor).filter(({ kind }) => kind === 'command').map(({ text }) => text)
  const data = folder(t)
  cpSync('data', data, { recursive: true })
  const flags = ['--data', data, '--redis-url', 'redis://127.0.0.1:1']
  const servers = [await startReplica(t, flags), await startReplica(t, flags)] as const
  const ports = servers.map(({ port }) => port).join(' ')
  const bodies = outputOf('sh', '-c', ask.replace('3001 3002', ports)).split('\n')
  const [sample = ''] = /^\{"status".*/m.exec(read(monitor)) ?? []
  const keysOf = (json: string) => Object.keys(JSON.parse(json) as object)
  t.same(bodies.map(keysOf), [keysOf(sample), keysOf(sample)])
  t.match(bodies, [/"redis":"away"/, /"redis":"away"/])

  writeFileSync(join(data, 'v1/saddles.json'), '{')
  const [{ log: lines, signal }] = servers
  signal('SIGHUP')
  while (!lines.some(line => line.includes('the last valid data is still served'))) await setTimeout(20)
  const { stderr } = spawnSync(process.execPath, ['dist/cli.js', '--data', data], { encoding: 'utf8' })
  const journal = join(folder(t), 'journal')
  const stack = '{"level":50,"err":{"stack":"Error"}}'
  writeFileSync(journal, ['{"level":30,"msg":"responded"}', ...lines, stack, stderr].join('\n'))
  const shown = outputOf('sh', '-c', log.replace(/^journalctl .* -1d/, `cat ${journal}`))
  t.notMatch(shown, 'responded')
  const [, section = ''] = read(monitor).split('## Read the log')
  for (const line of ['"stack":"', 'the server was not started', 'the last valid data']) {
    t.ok(shown.includes(line) && section.includes(line), line)
  }
})
