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
    createSecureContext({ cert, key })
    return { cert, key }
  } catch (error) {
    throw new SettingsError(`tls-cert and tls-key cannot be used together: ${(error as Error).message}`)
  }
}
