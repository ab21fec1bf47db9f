import { execFile } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { chmod, lstat, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, hostname, networkInterfaces } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { type Paint, printable } from '../base/text.ts'
import { name } from '../package.ts'
import { SettingsError } from '../settings/flags.ts'
import { hang, textWidth } from '../base/terminal.ts'
import { networkAddresses, type Reach } from './listening.ts'

/** The object identifier of the only use of the certificates (RFC 5280, 4.2.1.12). */
const serverAuth = '1.3.6.1.5.5.7.3.1'

/**
 * Returns a certificate for this machine's addresses as settings, and the local CA that signed it, which clients trust once. Both stay in
 * the user's cache directory until the certificate lacks an address or one of them expires soon. @throws {SettingsError} with the remedy
 */
export async function localCertificate (env: NodeJS.ProcessEnv, host: string, interfaces = networkInterfaces(), now = Date.now()) {
  const addresses = ['127.0.0.1', '::1', '10.0.2.2', ...networkAddresses(host, interfaces)]
  const { XDG_CACHE_HOME: cache = '' } = env
  const directory = join(isAbsolute(cache) ? cache : join(homedir(), '.cache'), name)
  try {
    await mkdir(directory, { recursive: true })
    for (const file of ['', 'ca.pem', 'ca-key.pem', 'server.pem', 'server-key.pem']) await refuseLink(join(directory, file))
    await chmod(directory, 0o700)
    const ca = await stored('ca', ({ keyUsage }) => keyUsage?.join() === serverAuth) ?? await create('ca', 3650, '-signkey key.pem', [
      'basicConstraints = critical, CA:TRUE', 'keyUsage = critical, keyCertSign', 'extendedKeyUsage = serverAuth',
      'nameConstraints = critical, permitted;DNS:localhost' // a stolen key can sign for no other domain name
    ])
    const { publicKey } = new X509Certificate(ca.cert)
    const isCurrent = (read: X509Certificate) => read.verify(publicKey) && addresses.every(address => read.checkIP(address))
    const { cert, key } = await stored('server', isCurrent) ?? await create('server', 397, '-CA ../ca.pem -CAkey ../ca-key.pem', [
      'basicConstraints = CA:FALSE', 'keyUsage = critical, digitalSignature', 'extendedKeyUsage = serverAuth',
      `subjectAltName = DNS:localhost, ${addresses.map(address => `IP:${address}`).join(', ')}`
    ])
    return { settings: { tlsCert: cert, tlsKey: key }, ca: ca.cert, caFile: join(directory, 'ca.pem') }
  } catch (error) {
    const { code, syscall = '', stderr, message } = error as NodeJS.ErrnoException & { stderr?: string }
    const reason = syscall === 'mkdir'
      ? `the directory cannot be created (${code}); set XDG_CACHE_HOME to another one`
      : stderr?.split('\n', 1)[0] || message
    throw new SettingsError(code === 'ENOENT' && syscall.startsWith('spawn')
      ? '--tls needs openssl, which is not installed; install it, or pass a certificate with --tls-cert and --tls-key'
      : `--tls cannot create a certificate in ${directory}: ${reason}`)
  }

  /** Reads a certificate and its key; undefined when they are missing, damaged, about to expire or not current. */
  async function stored (file: string, isCurrent: (certificate: X509Certificate) => boolean) {
    try {
      const cert = await readFile(join(directory, `${file}.pem`), 'utf8')
      const keyFile = join(directory, `${file}-key.pem`)
      await chmod(keyFile, 0o600)
      const key = await readFile(keyFile, 'utf8')
      const read = new X509Certificate(cert)
      const days = (Date.parse(read.validTo) - now) / 86_400_000
      return days > 30 && read.checkPrivateKey(createPrivateKey(key)) && isCurrent(read) ? { cert, key } : undefined
    } catch {
      return undefined
    }
  }

  /** Creates a certificate that is valid for so many days (Apple accepts 825 at most), with extensions as openssl.cnf has them. */
  async function create (file: string, days: number, signer: string, extensions: string[]) {
    const cwd = await mkdtemp(join(directory, 'new-'))
    const openssl = (command: string) => promisify(execFile)('openssl', command.split(' '), { cwd, env })
    try {
      const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
      await writeFile(join(cwd, 'key.pem'), key, { mode: 0o600 })
      const subject = `CN = ${`${name} ${file} on ${hostname()}`.slice(0, 64)}`
      const settings = ['[req]', 'prompt = no', 'distinguished_name = subject', '[subject]', subject, '[extensions]', ...extensions]
      await writeFile(join(cwd, 'openssl.cnf'), settings.join('\n'))
      await openssl('req -new -sha256 -config openssl.cnf -key key.pem -out request.pem')
      await openssl(`x509 -req -sha256 -in request.pem -days ${days} -set_serial 0x01${randomBytes(15).toString('hex')} ` +
        `-extfile openssl.cnf -extensions extensions ${signer} -out cert.pem`)
      const cert = await readFile(join(cwd, 'cert.pem'), 'utf8')
      await rename(join(cwd, 'key.pem'), join(directory, `${file}-key.pem`))
      await rename(join(cwd, 'cert.pem'), join(directory, `${file}.pem`))
      return { cert, key }
    } finally {
      await rm(cwd, { recursive: true })
    }
  }
}

/** Throws for a link, whose target would get keys or another mode. */
async function refuseLink (path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats?.isSymbolicLink()) throw new Error(`${path} is a link; delete it`)
}

/** Returns a QR code for a phone, and how clients trust the CA, for a terminal of so many columns. */
export async function trustText ({ url, lan: [network] }: Reach, caFile: string, paint: Paint, columns: number): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  const code = network === undefined ? [] : renderUnicodeCompact(`${network}/`, { border: 2 }).split('\n')
  const row = (client: string, how: string[]) => hang(paint('dim', client.padEnd(12)), how, textWidth(columns) - 2)
  const lines = [
    ...code.map(line => paint(['whiteBright', 'bgBlack'], line)), // readable in a light terminal too
    ...network === undefined ? [] : [paint('cyan', `${network}/`), ''],
    'Trust this CA once on each device:',
    ...row('File', [printable(caFile)]),
    ...row('Download', [`${network ?? url}/ca.crt`]),
    ...row('Android', 'Settings › Security › Install a certificate › CA certificate'.split(/(?<=›) /)),
    ...row('iOS', 'install it; Settings › General › About › Certificate Trust Settings'.split(/(?<=›) /)),
    ...row('Desktop', "curl --cacert, NODE_EXTRA_CA_CERTS, or the browser's authorities".split(/(?<=,) /))
  ]
  return [...lines.map(line => line && `  ${line}`), '', ''].join('\n')
}
