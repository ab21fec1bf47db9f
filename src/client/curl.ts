import { quoted } from '../base/terminal.ts'

export type CurlRequest = {
  method?: string
  address: string
  /** The token to send; true for the shell variable TOKEN. */
  token?: string | true | undefined
  headers?: Readonly<Record<string, string>>
  form?: Readonly<Record<string, string>>
  insecure?: boolean
}

/** Returns a command for a POSIX shell. */
export function curlLine ({ method = 'GET', address, token, headers = {}, form = {}, insecure = false }: CurlRequest): string {
  const words = ['curl']
  if (insecure) words.push('--insecure')
  if (/[{}[\]]/.test(address.replace(/^https?:\/\/\[[^\]]*\]/, ''))) words.push('--globoff') // curl knows the brackets of an IPv6 host
  if (method === 'HEAD') words.push('--head')
  else if (method !== 'GET' && Object.keys(form).length === 0) words.push('-X', quoted(method))
  if (token === true) words.push('-H', '"Authorization: Token $TOKEN"')
  else if (token !== undefined) words.push('-H', quoted(`Authorization: Token ${token}`))
  for (const [name, value] of Object.entries(headers)) words.push('-H', quoted(`${name}: ${value}`))
  for (const [name, value] of Object.entries(form)) words.push('--data-urlencode', quoted(`${name}=${value}`))
  return [...words, quoted(address)].join(' ')
}
