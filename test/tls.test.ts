import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectSecurely, type PeerCertificate } from 'node:tls'
import { test } from 'tap'
import { healthcheck } from '../src/command/healthcheck.ts'
import { askFirst, reachOf } from '../src/command/listening.ts'
import { secureOf } from '../src/settings/secure.ts'
import { start } from '../src/start.ts'
import { built } from './built.ts'

const readme = readFileSync('README.md', 'utf8')
const [, command = ''] = /^(openssl req .*)$/m.exec(readme) ?? []

/** A key of this kind takes a hundredth of the time. */
const quickCommand = command.replace('rsa:2048', 'ec -pkeyopt ec_paramgen_curve:P-256')

function certify (folder: string, how = quickCommand) {
  const { status } = spawnSync(how, { shell: true, cwd: folder, stdio: 'ignore' })
  if (status !== 0) throw new Error('no certificate was made')
  return { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') }
}

const skip = spawnSync('openssl', ['version']).status !== 0 && 'openssl is missing'

test('HTTPS is served with the certificate that the README makes, and with another one from a reload on', { skip }, async t => {
  const folder = t.testdir({ next: {} })
  const files = certify(folder, command)
  const server = await start({ ...files, logLevel: 'silent' })
  t.teardown(server.close)
  t.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/)
  const ask = async () => {
    const [answer] = await once(get(`${server.url}/api/v1/bikes/?page=1`, { ca: readFileSync(files.tlsCert), agent: false }), 'response')
    return { statusCode: answer.statusCode as number, body: await text(answer), serial: (answer.socket.getPeerCertificate() as PeerCertificate).serialNumber }
  }
  let told = ''
  const stream = { write: (text: string) => !!(told += text) }
  const env = { PORT: String(server.port), TLS_CERT: files.tlsCert, TLS_KEY: files.tlsKey }
  t.equal(await healthcheck([], { env, stdout: stream, stderr: stream }), 0, 'nobody has to vouch for the own server')
  t.equal(await healthcheck([server.url], { env, stdout: stream, stderr: stream }), 1)
  t.match(told, new RegExp(`^https://127.0.0.1:${server.port}/readyz gives no answer: self-signed certificate`), 'but for any other')
  const asked = once(server.app.server, 'request')
  await askFirst('127.0.0.1', server.port, 'https')
  t.match(await asked, [{ url: '/livez' }], 'but the server itself')
  const first = await ask()
  t.equal(first.statusCode, 200)
  t.ok(first.body.includes(`"next":"${server.url}/api/v1/bikes/?page=2"`), 'links follow')
  const next = certify(join(folder, 'next'))
  cpSync(next.tlsCert, files.tlsCert)
  await server.reload()
  t.equal((await connectTo(server.port)).serialNumber, first.serial, 'a certificate without its key changes nothing')
  cpSync(next.tlsKey, files.tlsKey)
  const said = t.capture(server.app.journal, 'info')
  await server.reload()
  t.match(said().map(({ args }) => args), [['read anew: the certificate'], [/^the data were read anew/]])
  t.not((await ask()).serial, first.serial)

  const plain = connect(server.port, '127.0.0.1', () => plain.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'))
  t.equal(await text(plain), '', 'HTTP is no answer')
  t.equal((await ask()).statusCode, 200)
})

async function connectTo (port: number): Promise<PeerCertificate> {
  const socket = connectSecurely(port, '127.0.0.1', { rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerCertificate()
  socket.destroy()
  return certificate
}

test('a certificate wants its own key', { skip }, async t => {
  const folder = t.testdir({ other: {}, kind: {} })
  const { tlsCert, tlsKey } = certify(folder)
  const other = certify(join(folder, 'other'))
  const read = (file: string) => readFileSync(file, 'utf8')
  t.throws(() => secureOf({ tlsCert: read(tlsCert), tlsKey: undefined }), { message: 'tls-cert and tls-key go together: one of them is missing' })
  t.throws(() => secureOf({ tlsCert: undefined, tlsKey: read(tlsKey) }), { message: /one of them is missing/ })
  for (const { tlsKey } of [other, certify(join(folder, 'kind'), command)]) {
    await t.rejects(start({ tlsCert, tlsKey }), { name: 'SettingsError', message: /^tls-cert and tls-key cannot be used together: / })
  }
  writeFileSync(tlsKey, 'key')
  await t.rejects(start({ tlsCert, tlsKey }), { name: 'SettingsError', message: `tlsKey must be a file that holds a private key in PEM, got "${tlsKey}"` })
})

test('every address of a server with a certificate begins with https', async t => {
  const { url, lan, emulator } = reachOf('0.0.0.0', 3000, { eth0: [{ internal: false, address: '192.168.1.20', family: 'IPv4', netmask: '', mac: '', cidr: null }] }, 'https')
  t.strictSame([url, lan, emulator], ['https://127.0.0.1:3000', ['https://192.168.1.20:3000'], 'https://10.0.2.2:3000'])
})

test('a connection that is reset by simulation is reset below its encryption', { skip }, async t => {
  const server = await start({ ...certify(t.testdir()), simulate: true, logLevel: 'silent' })
  t.teardown(server.close)
  const socket = connectSecurely(server.port, '127.0.0.1', { rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.write('GET /api/v1/bikes/?__fault=reset HTTP/1.1\r\nHost: a\r\n\r\n')
  await t.rejects(once(socket, 'data'), { code: 'ECONNRESET' })
})

test('the command says in a line what is wrong with a certificate', { skip }, async t => {
  const { tlsCert } = certify(t.testdir())
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(built(), 'cli.js'), '--port', '0', '--tls-cert', tlsCert], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], _TAPJS_PROCESSINFO_COVERAGE_: '0' }
  })
  t.strictSame({ status, stdout, stderr }, { status: 1, stdout: '', stderr: 'tls-cert and tls-key go together: one of them is missing\n' })
})
