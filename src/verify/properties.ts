import { isUtf8 } from 'node:buffer'
import { invalidByteAt } from '../base/text.ts'
import { urlOf, type HttpResponse } from '../client/client.ts'
import { allowedMethods } from '../http/headers.ts'
import { formats } from '../http/negotiation.ts'
import type { Resource } from '../lists/resources.ts'
import { byAccess, checkOf, expect, type Found } from './check.ts'
import { isListed, linkOf, shown, statusAndBody, type Exchange, type Property, type Session } from './exchange.ts'
import { recordProperties } from './records.ts'

/** The responses that a property holds for. */
const kinds: Readonly<Record<Property['kind'], (exchange: Exchange) => boolean>> = {
  response: ({ asked }) => asked.form === undefined,
  success: ({ asked: { form, open }, response, value }) =>
    form === undefined && response.status === 200 && (open !== 'response' || value !== undefined),
  list: isListed,
  page: exchange => exchange.form === 'page' || (exchange.index !== 0 && isListed(exchange)),
  linked: ({ page, asked: { name } }) => name !== 'beyond' && Boolean(page?.['next']),
  later: ({ page, index }) => page !== undefined && index > 0,
  cached: ({ asked: { form }, response }) => form !== 'head' && response.status === 200,
  html: ({ asked }) => asked.form === 'html',
  head: ({ get }) => get !== undefined
}

const header = (name: 'allow' | 'content-type' | 'vary', expected: string, isRight: (value: string) => boolean) => ({
  kind: 'success' as const,
  judge: ({ response: { headers: { [name]: value = 'none' } } }: Exchange) => expect(isRight(value), expected, value)
})

/** Returns the names in a comma-separated header, in lower case and sorted, for comparison. */
const namesIn = (list: string) => list.toLowerCase().split(',').map(name => name.trim()).sort()
const isAllowed = (allow: string) => namesIn(allow).join() === namesIn(allowedMethods).join()

/** Reads how long a response may be cached. A lifetime of 0, or a shorter one of browsers alone, does not contradict the stated one. */
function cachingOf ({ maxAge }: Resource, { headers: { 'cache-control': control = 'none' } }: HttpResponse) {
  const secondsOf = (name: string) => Number(new RegExp(`(?:^|[\\s,])${name}="?(\\d+)`, 'i').exec(control)?.[1])
  const [age, shared, stated] = [secondsOf('max-age'), secondsOf('s-maxage'), Number(maxAge)]
  const isPrivate = /\b(?:private|no-store|no-cache)\b/i.test(control)
  const isOther = age > 0 && (shared > stated || age > stated || (age < stated && shared !== stated && !isPrivate))
  const contradictsStated = isOther || (Number.isNaN(age) && shared >= 0 && shared !== stated)
  return { control, age, isPrivate, contradictsStated }
}

const fields = ['count', 'next', 'previous', 'results']

/** The number of a page in its URL. */
function numberIn (url: URL | undefined): number | undefined {
  const text = url?.searchParams.get('page') ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}

function judgeEnvelope ({ page, index, response }: Exchange, { base }: Session): readonly Found[] {
  if (page === undefined) return expect(false, fields.join(', '), 'a plain array')
  const { next, previous, count } = page
  const names = Object.keys(page)
  if (!fields.every(field => names.includes(field))) return expect(false, fields.join(', '), names.join(', '))
  const odd = [next, previous].find(link => link !== null && urlOf(link) === undefined)
  const number = numberIn(urlOf(response.request.target, base))
  // Where pages begin with 0, page 1 has a previous one.
  const isSecond = number === 1 && index === 0 && (numberIn(urlOf(previous, base)) ?? 0) === 0
  const isFirst = index < 0 || (index === 0 && !isSecond && [undefined, 1].includes(number))
  return [
    ...expect(odd === undefined, 'a URL or null as next and previous', shown(odd)),
    ...expect(Number.isInteger(count) && Number(count) >= 0, 'an integer as count', shown(count)),
    ...expect(previous === null || !isFirst, 'previous null on the first page', shown(previous))
  ]
}

/** Judges the link to the next or to the previous page. */
const judgeLink = (name: 'next' | 'previous'): Property['judge'] => ({ page, response, asked }, session) => {
  const link = page?.[name]
  const url = linkOf(link, asked, session)
  const [own = 1, number] = [numberIn(urlOf(response.request.target, session.base)), numberIn(url)]
  const isFirst = !response.request.target.includes('page=')
  const isNext = number === own + 1 || (isFirst && number === 1) // pages may begin with 0
  const isPrevious = url !== undefined && (isFirst || number === own - 1 || (own <= 2 && !url.searchParams.has('page')))
  const wanted = name === 'next' ? `page=${own + 1}` : `page=${own - 1}, or none for the first`
  const order = asked.ordering === undefined ? '' : ` and ordering=${asked.ordering}`
  const expected = `an absolute URL of ${session.path} with ${wanted}${order}`
  return expect(name === 'next' ? isNext : isPrevious, expected, shown(link), { kind: name })
}

function judgeOrigin ({ page: { next, previous } = {} }: Exchange, { base: { origin } }: Session): readonly Found[] {
  const foreign = [next, previous].find(link => (urlOf(link)?.origin ?? origin) !== origin)
  return expect(foreign === undefined, `links that begin with ${origin}`, shown(foreign))
}

/** Every property, in the order of a list's report. */
export const properties: readonly Property[] = [
  {
    id: 'status', claim: 'responds with 200 and a list', clause: byAccess('S5', 'S3, S4'), kind: 'response',
    judge: ({ asked: { open }, response, form, index }, { resource: { access } }) => {
      const isOpen = index === 0 && (open === 'response' || (open === 'refusal' && form === 'refused'))
      const isRefused = access === 'token' && [401, 403].includes(response.status)
      const holds = isOpen || ['array', 'page', access === 'token' && 'document'].includes(form)
      const expected = isRefused ? '200 for the token of --token' : '200 with an array or a page'
      return expect(holds, expected, statusAndBody(response), { kind: String(response.status) })
    }
  },
  {
    id: 'utf-8', claim: 'is encoded as UTF-8', clause: 'S7', kind: 'success',
    judge: ({ response: { body } }) =>
      expect(isUtf8(body), 'UTF-8, as JSON is (RFC 8259, 8.1)', `another byte at position ${invalidByteAt(body)}`)
  },
  {
    id: 'content-type', claim: 'is application/json', clause: 'S7',
    ...header('content-type', 'application/json without a charset', type => type.toLowerCase() === formats.json)
  },
  { id: 'allow', claim: `allows ${allowedMethods}`, clause: 'S8', ...header('allow', `Allow: ${allowedMethods}`, isAllowed) },
  { id: 'vary', claim: 'varies by Accept', clause: 'S9', ...header('vary', 'Vary: Accept', vary => namesIn(vary).includes('accept')) },
  {
    id: 'cache', claim: 'says how long it may be cached', clause: byAccess('D18', 'D17'), kind: 'success',
    judge: ({ response }, { resource }) => {
      const { control, age, isPrivate, contradictsStated } = cachingOf(resource, response)
      const { maxAge, isAgeStated } = resource
      const isRight = maxAge === null ? control !== 'none' && !/\bpublic\b/.test(control) : age === maxAge && !isPrivate
      const holds = isRight || (isAgeStated && contradictsStated)
      return expect(holds, `Cache-Control ${maxAge === null ? 'without public' : `with max-age=${maxAge}`}`, control)
    }
  },
  {
    id: 'cache/age', claim: 'is cached as long as stated', clause: ({ key }) => key === 'bikes' ? 'S20' : 'S21',
    of: ({ isAgeStated }) => isAgeStated, kind: 'cached',
    judge: ({ response }, { resource }) => {
      const { control, contradictsStated } = cachingOf(resource, response)
      return expect(!contradictsStated, `max-age=${resource.maxAge}`, control)
    }
  },
  ...recordProperties,
  { id: 'envelope', claim: `has pages with ${fields.join(', ')}`, clause: byAccess('D1', 'S10'), kind: 'page', judge: judgeEnvelope },
  { id: 'links', claim: 'has next links to the next page', clause: byAccess('D1', 'S13, S19'), kind: 'linked', judge: judgeLink('next') },
  {
    id: 'previous', claim: 'leads from each page to the one before', clause: byAccess('D1', 'S10'), kind: 'later',
    judge: judgeLink('previous')
  },
  { id: 'pages', claim: 'has links to its own origin', clause: byAccess('D1', 'F14'), kind: 'page', judge: judgeOrigin },
  {
    id: 'format-api', claim: 'is a browsable page with format=api', clause: byAccess('F3', 'S12'), kind: 'html',
    judge: ({ response: { status, headers: { 'content-type': type = 'none' }, body: { length } } }) =>
      expect(status === 200 && type.startsWith('text/html') && length > 0, '200, text/html', `${status}, ${type}, ${length} bytes`)
  },
  {
    id: 'format-api/headers', claim: 'has Allow and Vary on its browsable page', clause: 'F26', kind: 'html',
    judge: ({ response: { status, headers: { allow = 'none', vary = 'none' } } }) => {
      const holds = status !== 200 || (isAllowed(allow) && namesIn(vary).includes('accept'))
      return expect(holds, `Allow: ${allowedMethods}, Vary: Accept`, `Allow: ${allow}, Vary: ${vary}`)
    }
  },
  {
    id: 'head', claim: 'responds to HEAD with the status and headers of GET', clause: 'F6', kind: 'head',
    judge: ({ response, get = response }) => [
      ...expect(response.status === get.status, `${get.status}, as for GET`, String(response.status)),
      ...['content-type', 'allow', 'vary', 'cache-control'].flatMap(name => {
        const [own, wanted] = [response, get].map(({ headers }) => headers[name] ?? 'none') as [string, string]
        return expect(own === wanted, `${name}: ${wanted}, as for GET`, String(own), { kind: name })
      })
    ]
  }
]

export function judgeProperties (exchange: Exchange, session: Session) {
  const { resource } = session
  const own = properties.filter(({ kind, of }) => kinds[kind](exchange) && of?.(resource) !== false)
  return own.map(property => ({ id: checkOf(resource, property).id, differences: property.judge(exchange, session) }))
}
