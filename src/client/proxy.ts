import type { Agent } from 'node:http'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { getProxyForUrl } from 'proxy-from-env'
import { SettingsError } from '../settings/flags.ts'

/** Returns the agent for the proxy that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name for a URL; undefined without one. */
export function proxyFor (url: URL): Agent | undefined {
  const proxy = getProxyForUrl(url.href)
  if (proxy === '') return undefined
  if (!/^https?:/i.test(proxy) || !URL.canParse(proxy)) {
    const scheme = url.protocol.slice(0, -1).toUpperCase()
    throw new SettingsError(`${scheme}_PROXY must be an http or https URL`)
  }
  return new (url.protocol === 'https:' ? HttpsProxyAgent : HttpProxyAgent)(proxy, { keepAlive: true })
}
