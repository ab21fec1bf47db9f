import { type Random, between, pick, createRandom } from '../../src/base/random.ts'
import { atOnce, converse, shellLine, token } from './converse.ts'
import { errorsOf } from './judge.ts'
import type { Plan } from './report.ts'
import { mark, type ListRequest } from './requests.ts'
import { startServer } from '../process.ts'
import { resources } from '../../src/lists/resources.ts'

const protocols = [
  'https', 'http', 'HTTPS', 'javascript:alert(1)//', 'x","a":"', 'https, http', mark, '', 'ftp', '$(id)', 'http://', 'https:', '\xff'
]
const hosts = [
  'bikes.example', 'bikes.example:8443', 'evil"example', 'a b', mark, '$(id)', '`id`', 'a/b', 'a@b', '', 'x, y', '[::1]', "'", '\\', '\xff',
  'a'.repeat(300), 'user:pass@host', 'a#b', 'a?b'
]
const addresses = [
  '1.2.3.4', '1.2.3.4:5', '::1', '[2001:db8::1]:443', 'unknown', mark, '', ',', '1.2.3.4, 5.6.7.8', 'x'.repeat(5000), '1.2.3.4.5', '$(id)'
]
const paths = [...resources.map(({ path }) => path), '/', '/docs/', '/tokens/', '/openapi.json', '/nope/', '/api/v1/bikes']

const origin = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?\//i

/** Sends arbitrary headers as a trusted proxy, and searches the responses for them. */
export async function proxies ({ requests: count, seed, report }: Plan): Promise<void> {
  const server = await startServer(['--tokens', token, '--rate-limit', 'off', '--trust-proxy', 'on'])
  await atOnce(8, Array.from({ length: count }, (_, index) => seed + index), async number => {
    const request = anyForwarded(createRandom(number))
    report.tried('requests with X-Forwarded-*')
    const { answers: [answer], error } = await converse(server.port, [request])
    const again = `--only proxies --requests 1 --seed ${number}, or with --trust-proxy on ${shellLine([request])}`
    if (answer === undefined || error !== undefined) report.broke(`no answer: ${error}`, again)
    else {
      for (const error of [
        ...errorsOf(request, answer), ...addressErrors(request.target, answer.body.toString(), answer.headers.get('content-type'))
      ]) report.broke(error, again)
    }
  })
  await server.stop()
  await countClients(report)
}

function anyForwarded (random: Random): ListRequest {
  const path = pick(random, paths)
  const query = random() < 0.5 ? '' : `?page=${between(random, 1, 2)}${random() < 0.5 ? '&format=api' : ''}`
  const isForm = path === '/tokens/' && random() < 0.7
  const body = isForm ? 'label=x' : ''
  const fields = [
    'Host: inner', `Authorization: Token ${token}`, `Accept: ${pick(random, ['*/*', 'text/html'])}`,
    ...random() < 0.7 ? [`X-Forwarded-Proto: ${pick(random, protocols)}`] : [],
    ...random() < 0.7 ? [`X-Forwarded-Host: ${pick(random, hosts)}`] : [],
    ...random() < 0.7 ? [`X-Forwarded-For: ${pick(random, addresses)}`] : [],
    ...isForm ? ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`] : []
  ]
  const method = isForm ? 'POST' : 'GET'
  return {
    method,
    target: path + query,
    text: `${method} ${path}${query} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${body}`,
    closes: false,
    resource: undefined,
    origin: ''
  }
}

function addressErrors (target: string, text: string, type = ''): string[] {
  if (type === 'application/json' && target.startsWith('/api/')) {
    const links = [
      ...text.matchAll(/"(?:next|previous|image_url|images|featured_image|url)":"((?:[^"\\]|\\.)*)"/g)
    ].map(([, link = '']) => link)
    return links.every(link => origin.test(link)) ? [] : ['a link that is no http(s) URL']
  }
  if (!type.startsWith('text/html')) return []
  const links = [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, link = '']) => link)
  return [
    ...links.every(link => /^(?:https?:\/\/|[/?#])/.test(link) && !link.startsWith('//')) ? [] : ['a page with a link that is none'],
    ...text.includes('$(id)') || text.includes('`id`') ? ['a page with a command that was sent'] : []
  ]
}

/** An address is one client, whatever its port; invalid addresses must share one. */
async function countClients (report: Plan['report']): Promise<void> {
  const server = await startServer(['--trust-proxy', 'on'])
  const remaining = async (address: string) => {
    report.tried('addresses that are counted')
    const text = `GET /api/v1/brakes/ HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`
    const { answers: [answer] } = await converse(server.port, [{ method: 'GET', target: '', text, closes: false }])
    return Number(answer?.headers.get('x-ratelimit-remaining'))
  }
  const same = [
    ['9.9.9.9', '9.9.9.9:1', '9.9.9.9:65535', '::ffff:9.9.9.9', '[::ffff:9.9.9.9]:80'],
    ['2001:db8::1', '[2001:db8::2]:443', '2001:DB8:0:0::3'], ['x1', 'x2', '""']
  ]
  for (const addresses of same) {
    const counts: number[] = []
    for (const address of addresses) counts.push(await remaining(address))
    if (counts.some((count, index) => index > 0 && count !== (counts[index - 1] as number) - 1)) {
      report.broke('one client has several allowances', `X-Forwarded-For: ${addresses.join(' | ')}: ${counts.join(', ')} remaining`)
    }
  }
  await server.stop()
}
