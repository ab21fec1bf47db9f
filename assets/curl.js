/** Writes a text as one word for a POSIX shell: within single quotes nothing counts but their end. */
function word (text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Tells whether curl would take a part of an address for a pattern; the brackets around an IPv6 host it knows. */
function isPattern (address) {
  return /[{}[\]]/.test(address.replace(/^https?:\/\/\[[^\]]*\]/, ''))
}

/** Writes the command that makes a request, for a POSIX shell; used by the server and by the reference in the browser. */
export function curlLine ({ method = 'GET', address, token, headers = {}, form = {}, insecure = false }) {
  const words = ['curl']
  if (insecure) words.push('--insecure')
  if (isPattern(address)) words.push('--globoff')
  if (method === 'HEAD') words.push('--head')
  else if (method !== 'GET' && Object.keys(form).length === 0) words.push('-X', word(method))
  if (token === true) words.push('-H', '"Authorization: Token $TOKEN"')
  else if (token !== undefined) words.push('-H', word(`Authorization: Token ${token}`))
  for (const [name, value] of Object.entries(headers)) words.push('-H', word(`${name}: ${value}`))
  for (const [name, value] of Object.entries(form)) words.push('--data-urlencode', word(`${name}=${value}`))
  return [...words, word(address)].join(' ')
}
