import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [, documented = ''] = /^(openssl req (?:.*\\\n)*.*)$/m.exec(readFileSync('docs/guides/devices.md', 'utf8')) ?? []
/** The documented command that makes a certificate and its key. */
export const command = documented.replace(/\s*\\\n\s*/, ' ')

/** A key of this kind takes a hundredth of the time. */
export const quickCommand = command.replace('rsa:2048', 'ec -pkeyopt ec_paramgen_curve:P-256')

/** Makes a certificate in a folder and returns the options that name it. */
export function certify (folder: string, how = quickCommand) {
  const { status } = spawnSync(how, { shell: true, cwd: folder, stdio: 'ignore' })
  if (status !== 0) throw new Error('no certificate was made')
  return { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') }
}

/** Says why tests of HTTPS are skipped. */
export const skip = spawnSync('openssl', ['version']).status !== 0 && 'openssl is missing'
