import { quoted } from '../base/text.ts'

export type CurlRequest = {
  method?: string
  address: string
  /** The value of Authorization, in which the shell expands variables, such as `Token $TOKEN`. */
  authorization?: string | undefined
  headers?: Readonly<Record<string, string>>
}

/** Returns a command for a POSIX shell. */
export function curlLine (request: CurlRequest): string {
  const { method = 'GET', address, authorization, headers = {} } = request
  const words = ['curl']
  if (hasGlob(address)) words.push('--globoff')
  if (method === 'HEAD') words.push('--head')
  else if (method !== 'GET') words.push('-X', quoted(method))
  const written: string[] = []
  if (authorization !== undefined) written.push(`"Authorization: ${authorization}"`)
  for (const [name, value] of Object.entries(headers)) {
    written.push(quoted(`${name}: ${value}`))
  }
  for (const header of written) words.push('-H', header)
  words.push(quoted(address))
  return words.join(' ')
}

/**
 * Returns whether curl would read a URL as several, such as `http://h/?a[]=1`; it knows the brackets of an IPv6 host.
 */
function hasGlob (address: string): boolean {
  const withoutHost = address.replace(/^https?:\/\/\[[^\]]*\]/, '')
  return /[{}[\]]/.test(withoutHost)
}
