import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { SettingsError } from './read.ts'
import type { Settings } from './settings.ts'

/**
 * The certificate and key that a server serves HTTPS with; undefined where it serves HTTP.
 * @throws {SettingsError} for one without the other, and for two that cannot be used together
 */
export function secureOf ({ tlsCert: cert, tlsKey: key }: Pick<Settings, 'tlsCert' | 'tlsKey'>): { cert: string, key: string } | undefined {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) throw new SettingsError('tls-cert and tls-key go together: one of them is missing')
  try {
    createSecureContext({ cert, key }) // takes a certificate and a key of different kinds, which no client can be served with
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) throw new Error('the key is not that of the certificate')
    return { cert, key }
  } catch (error) {
    throw new SettingsError(`tls-cert and tls-key cannot be used together: ${(error as Error).message}`)
  }
}
