import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import type { NetworkInterfaceInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { test } from 'tap'
import { localCertificate, trustText } from '../../src/command/certificate.ts'
import { run as healthcheck } from '../../src/command/healthcheck.ts'
import { painter } from '../../src/base/text.ts'
import { SettingsError } from '../../src/settings/flags.ts'
import { env, readyOf, run } from '../built.ts'
import { skip } from '../certificate.ts'

const { PATH } = process.env
const host = '0.0.0.0'
const day = 86_400_000

const at = (...addresses: string[]) => ({
  eth0: addresses.map(address => ({ address, internal: false, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo)
})

test('--tls serves HTTPS that a client of the CA trusts, and the next start has the same CA and certificate', { skip }, async t => {
  const cache = t.testdir()
  const folder = join(cache, 'bicycle-catalogue')
  const certificates = []
  for (const start of ['first', 'second']) {
    if (start === 'second') for (const file of ['ca-key.pem', 'server-key.pem']) chmodSync(join(folder, file), 0o644)
    const child = run(t, ['dev', '--tls', '--host', '127.0.0.1', '--port', '0'], { env: { ...env, XDG_CACHE_HOME: cache } })
    const stderr = text(child.stderr)
    const { url, port, ca = '' } = await readyOf(child)
    t.equal(url, `https://127.0.0.1:${port}`, start)
    t.equal(ca, join(folder, 'ca.pem'))
    for (const [address, method] of [['127.0.0.1', 'GET'], ['localhost', 'HEAD']] as const) {
      const [response] = await once(get(`https://${address}:${port}/ca.crt`, { method, ca: readFileSync(ca), agent: false, family: 4 }), 'response')
      t.match([response.statusCode, response.headers['content-type']], [200, 'application/x-x509-ca-cert'])
      t.equal(await text(response), method === 'GET' ? readFileSync(ca, 'utf8') : '')
    }
    const [refused] = await once(get(`${url}/`, { agent: false }), 'error')
    t.match(refused, { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
    t.equal(await healthcheck([], { env: { PORT: String(port), BICYCLE_CATALOGUE_TLS: 'on' }, stderr: process.stderr }), 0)
    child.kill('SIGHUP')
    child.kill('SIGTERM')
    await once(child, 'exit')
    t.notMatch(await stderr, 'the certificate')
    certificates.push(['ca.pem', 'server.pem'].map(file => readFileSync(join(folder, file), 'utf8')))
  }
  t.strictSame(certificates[0], certificates[1])
  const modes = Object.fromEntries(readdirSync(folder).map(file => [file, (statSync(join(folder, file)).mode & 0o777).toString(8)]))
  t.match(modes, { 'ca-key.pem': '600', 'server-key.pem': '600' })
  t.same(Object.keys(modes), ['ca-key.pem', 'ca.pem', 'server-key.pem', 'server.pem'])
  t.equal(statSync(folder).mode & 0o777, 0o700)
})

test('a certificate is replaced when an address is new or it expires soon, the CA only then or when it is damaged', { skip }, async t => {
  const env = { PATH, XDG_CACHE_HOME: t.testdir() }
  const of = (address: string, days = 0, listening = host) => localCertificate(env, listening, at(address, 'fd00::20', 'fe80::20'), Date.now() + days * day)
  const first = await of('192.168.1.20')
  const certificate = new X509Certificate(first.settings.tlsCert)
  for (const address of ['192.168.1.20', '127.0.0.1', '::1', '10.0.2.2']) t.equal(certificate.checkIP(address), address)
  t.equal(certificate.checkIP('fd00::20'), undefined)
  t.strictSame(await of('192.168.1.20', 366), first)

  const moved = await of('10.1.2.3')
  t.equal(moved.ca, first.ca)
  t.equal(new X509Certificate(moved.settings.tlsCert).checkIP('10.1.2.3'), '10.1.2.3')
  const renewed = await of('10.1.2.3', 368)
  t.equal(renewed.ca, first.ca)
  t.not(renewed.settings.tlsCert, moved.settings.tlsCert)
  const onIpv6 = await of('10.1.2.3', 0, '::')
  t.equal(new X509Certificate(onIpv6.settings.tlsCert).checkIP('fd00::20'), 'fd00::20')

  writeFileSync(join(env.XDG_CACHE_HOME, 'bicycle-catalogue/ca.pem'), 'damaged')
  const anew = await of('10.1.2.3')
  t.not(anew.ca, first.ca)
  t.ok(new X509Certificate(anew.settings.tlsCert).verify(new X509Certificate(anew.ca).publicKey), 'its certificate is new, too')
  t.not((await of('10.1.2.3', 3640)).ca, anew.ca)
})

test('the CA signs for no domain of the internet', { skip }, async t => {
  const cache = t.testdir()
  await localCertificate({ PATH, XDG_CACHE_HOME: cache }, host, {})
  t.same(new X509Certificate(readFileSync(join(cache, 'bicycle-catalogue/ca.pem'))).keyUsage, ['1.3.6.1.5.5.7.3.1'], 'and only for servers')
  const script = `openssl req -new -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=a -keyout key -out request &&
    printf 'subjectAltName = DNS:example.org' > extensions &&
    openssl x509 -req -in request -CA ca.pem -CAkey ca-key.pem -set_serial 7 -extfile extensions -out forged && openssl verify -CAfile ca.pem forged`
  const { stderr } = spawnSync(script, { shell: true, cwd: join(cache, 'bicycle-catalogue'), encoding: 'utf8' })
  t.match(stderr, 'permitted subtree violation')
})

test('the cache is below the home directory unless XDG_CACHE_HOME is an absolute path', async t => {
  const home = t.testdir()
  const { HOME } = process.env
  t.teardown(() => { process.env['HOME'] = HOME })
  process.env['HOME'] = home
  for (const env of [{}, { XDG_CACHE_HOME: 'relative' }]) {
    await t.rejects(localCertificate({ PATH: '/nowhere', ...env }, host, {}), new SettingsError(
      '--tls needs openssl, which is not installed; install it, or pass a certificate with --tls-cert and --tls-key'))
    t.same(readdirSync(join(home, '.cache/bicycle-catalogue')), [], 'nothing is left')
    rmSync(join(home, '.cache'), { recursive: true })
  }
})

test('links in the cache are refused, and their targets stay as they are', { skip }, async t => {
  for (const [name, target] of [['bicycle-catalogue', 'other'], ['bicycle-catalogue/ca-key.pem', 'file'], ['bicycle-catalogue/server.pem', 'nowhere']] as const) {
    const folder = t.testdir({ other: {}, file: 'of somebody', ...name.includes('/') && { 'bicycle-catalogue': {} } })
    chmodSync(join(folder, 'other'), 0o755)
    chmodSync(join(folder, 'file'), 0o644)
    symlinkSync(join(folder, target), join(folder, name))
    await t.rejects(localCertificate({ PATH, XDG_CACHE_HOME: folder }, host, {}),
      new SettingsError(`--tls cannot create a certificate in ${folder}/bicycle-catalogue: ${folder}/${name} is a link; delete it`))
    t.same([readdirSync(join(folder, 'other')), readFileSync(join(folder, 'file'), 'utf8')], [[], 'of somebody'])
    t.same(['other', 'file'].map(entry => statSync(join(folder, entry)).mode & 0o777), [0o755, 0o644])
  }
})

test('a certificate that cannot be made', async t => {
  const folder = t.testdir({ file: '', bin: {} })
  writeFileSync(join(folder, 'bin/openssl'), '#!/bin/sh\necho "no such option" >&2\necho more >&2\nexit 1\n', { mode: 0o755 })
  const env = { PATH: `${folder}/bin:${PATH}`, XDG_CACHE_HOME: folder }
  const place = `${folder}/file/bicycle-catalogue`
  await t.rejects(localCertificate(env, host, {}), new SettingsError(`--tls cannot create a certificate in ${folder}/bicycle-catalogue: no such option`))
  const advice = (code: string) => `the directory cannot be created (${code}); set XDG_CACHE_HOME to another one`
  await t.rejects(localCertificate({ ...env, XDG_CACHE_HOME: `${folder}/file` }, host, {}),
    new SettingsError(`--tls cannot create a certificate in ${place}: ${advice('ENOTDIR')}`))
  rmSync(join(folder, 'bicycle-catalogue'), { recursive: true })
  writeFileSync(join(folder, 'bicycle-catalogue'), '')
  await t.rejects(localCertificate(env, host, {}), new SettingsError(`--tls cannot create a certificate in ${folder}/bicycle-catalogue: ${advice('EEXIST')}`))
})

test('the terminal shows a QR code of the network URL, and how to trust the CA', async t => {
  const reach = { url: 'https://127.0.0.1:3000', lan: ['https://192.168.1.20:3000', 'https://10.1.2.3:3000'], emulator: undefined }
  const plain = await trustText(reach, '/home/a\x1b/ca.pem', painter(false), 100)
  const lines = plain.split('\n')
  t.equal(stripVTControlCharacters(await trustText(reach, '/home/a\x1b/ca.pem', painter(true), 100)), plain)
  t.ok(lines.slice(0, 15).every(line => /^ {2}[█▀▄ ]{29}$/.test(line)))
  t.strictSame(lines.slice(15), [
    '  https://192.168.1.20:3000/',
    '',
    '  Trust this CA once on each device:',
    '  File        /home/a\\u{1b}/ca.pem',
    '  Download    https://192.168.1.20:3000/ca.crt',
    '  Android     Settings › Security › Install a certificate › CA certificate',
    '  iOS         install it; Settings › General › About › Certificate Trust Settings',
    "  Desktop     curl --cacert, NODE_EXTRA_CA_CERTS, or the browser's authorities",
    '',
    ''
  ])
  const narrow = await trustText(reach, 'ca.pem', painter(false), 60)
  t.match(narrow, '\n  Android     Settings › Security › Install a certificate ›\n              CA certificate\n')
  const local = await trustText({ ...reach, lan: [] }, 'ca.pem', painter(false), 80)
  t.match(local, /^ {2}Trust this CA once on each device:\n.*\n {2}Download {4}https:\/\/127\.0\.0\.1:3000\/ca\.crt\n/)
})
