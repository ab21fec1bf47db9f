import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { PeerCertificate } from 'node:tls'
import { test } from 'tap'
import { run as healthcheck } from '../src/command/healthcheck.ts'
import { reachOf } from '../src/http/listening.ts'
import { start } from '../src/start.ts'
import { certify, command, quickCommand, skip } from './certificate.ts'
import { open, started } from './helper.ts'

test('HTTPS is served with the certificate of docs/guides/devices.md; a reload replaces it', { skip }, async t => {
  const folder = t.testdir({ next: {} })
  const files = certify(folder, command)
  const server = await started(t, { ...files, simulate: true, logLevel: 'silent', metricsPort: 0 })
  const isReloaded = async () => {
    const metrics = await (await fetch(String(server.metricsUrl))).text()
    return /^bicycle_catalogue_last_reload_successful (\d)$/m.exec(metrics)?.[1]
  }
  t.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/)
  const ask = async (trust: object = { ca: readFileSync(files.tlsCert) }) => {
    const [answer] = await once(get(`${server.url}/api/v1/bikes/?page=1`, { ...trust, agent: false }), 'response')
    const certificate = answer.socket.getPeerCertificate() as PeerCertificate
    return {
      statusCode: answer.statusCode as number,
      body: await text(answer),
      serial: certificate.serialNumber
    }
  }
  let refusal = ''
  const stderr = { write: (text: string) => { refusal += text } }
  const env = {
    PORT: String(server.port),
    BICYCLE_CATALOGUE_TLS_CERT: files.tlsCert,
    BICYCLE_CATALOGUE_TLS_KEY: files.tlsKey
  }
  t.equal(await healthcheck([], { env, stderr }), 0, 'nobody has to vouch for the own server')
  t.equal(await healthcheck([server.url], { env, stderr }), 1, 'but for any other')
  t.match(refusal, `https://127.0.0.1:${server.port}/readyz does not respond: self-signed certificate`)
  const first = await ask()
  t.equal(first.statusCode, 200)
  t.ok(first.body.includes(`"next":"${server.url}/api/v1/bikes/?page=2"`), 'links follow')
  const next = certify(join(folder, 'next'))
  cpSync(next.tlsCert, files.tlsCert)
  await server.reload()
  const unchanged = await ask({ rejectUnauthorized: false })
  t.equal(unchanged.serial, first.serial, 'a certificate without its key changes nothing')
  t.equal(await isReloaded(), '0')
  cpSync(next.tlsKey, files.tlsKey)
  const said = t.capture(server.app.logger, 'info')
  await server.reload()
  t.match(said().map(({ args }) => args), [['reloaded: the certificate'], [/^the data was reloaded/]])
  t.not((await ask()).serial, first.serial)
  t.equal(await isReloaded(), '1')

  const plain = connect(server.port, '127.0.0.1', () => plain.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'))
  t.equal(await text(plain), '', 'HTTP is no answer')
  const [reset] = await open(server.app.server, 'GET /api/v1/bikes/?__fault=reset HTTP/1.1\r\nHost: a\r\n\r\n')
  await t.rejects(once(reset, 'data'), { code: 'ECONNRESET' }, 'simulation resets the connection below its encryption')
  t.equal((await ask()).statusCode, 200)
})

test('a certificate wants its own key', { skip }, async t => {
  const folder = t.testdir({ other: {}, kind: {} })
  const { tlsCert, tlsKey } = certify(folder)
  const other = certify(join(folder, 'other'))
  await t.rejects(start({ tlsKey }), { name: 'SettingsError', message: 'tlsKey needs tlsCert' })
  for (const { tlsKey } of [other, certify(join(folder, 'kind'), command)]) {
    await t.rejects(start({ tlsCert, tlsKey }), {
      name: 'SettingsError',
      message: /^--tls-cert and --tls-key cannot be used together: /
    })
  }
  writeFileSync(tlsKey, 'key')
  await t.rejects(start({ tlsCert, tlsKey }), {
    name: 'SettingsError',
    message: `tlsKey must be a file that contains a private key in PEM, got "${tlsKey}"`
  })
})

test('the certificate of docs/guides/devices.md is for servers; URLs have only its names', { skip }, async t => {
  const others = { internal: false, family: 'IPv4' as const, netmask: '', mac: '', cidr: null }
  const addresses = ['192.168.1.20', '192.168.1.21'].map(address => ({ ...others, address }))
  const certificateOf = (how: string) => new X509Certificate(readFileSync(certify(t.testdir(), how).tlsCert))
  const certificateFor = (name: string) => certificateOf(quickCommand.replace(/DNS:\S+/, `DNS:${name}`))
  const ours = certificateOf(command)
  t.same(ours.keyUsage, ['1.3.6.1.5.5.7.3.1'], 'serverAuth, which Apple requires')
  for (const [certificate, expected] of [
    [ours, { url: 'https://127.0.0.1:3000', lan: ['https://192.168.1.20:3000'], emulator: 'https://10.0.2.2:3000' }],
    [certificateFor('localhost'), { url: 'https://localhost:3000', lan: [], emulator: undefined }],
    [certificateFor('bikes.test'), { url: 'https://127.0.0.1:3000', lan: [], emulator: undefined }]
  ] as const) {
    t.strictSame(reachOf('0.0.0.0', 3000, { eth0: addresses }, certificate), expected, expected.url)
  }
})
