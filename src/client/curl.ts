import { quoted } from '../base/text.ts'

export type CurlRequest = {
  method?: string
  address: string
  /** The token to send; true for the shell variable TOKEN. */
  token?: string | true | undefined
  headers?: Readonly<Record<string, string>>
  insecure?: boolean
}

/** Returns a command for a POSIX shell. */
export function curlLine ({ method = 'GET', address, token, headers = {}, insecure = false }: CurlRequest): string {
  const words = ['curl']
  if (insecure) words.push('--insecure')
  if (hasGlob(address)) words.push('--globoff')
  if (method === 'HEAD') words.push('--head')
  else if (method !== 'GET') words.push('-X', quoted(method))
  if (token === true) words.push('-H', '"Authorization: Token $TOKEN"')
  else if (token !== undefined) words.push('-H', quoted(`Authorization: Token ${token}`))
  for (const [name, value] of Object.entries(headers)) words.push('-H', quoted(`${name}: ${value}`))
  return [...words, quoted(address)].join(' ')
}

/**
 * Returns whether curl would read a URL as several, such as `http://h/?a[]=1`; it knows the brackets of an IPv6 host.
 */
function hasGlob (address: string): boolean {
  const withoutHost = address.replace(/^https?:\/\/\[[^\]]*\]/, '')
  return /[{}[\]]/.test(withoutHost)
}
