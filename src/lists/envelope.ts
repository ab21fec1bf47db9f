import type { Frame, RecordedForm } from '../catalogue/catalogue.ts'
import type { ListPage } from './page.ts'
import type { ListRequest } from './request.ts'

type Listed = { page: ListPage | undefined, links: object | undefined }

const string = String.raw`"(?:[^"\\]|\\.)*"`

/** Returns the texts around a page: those recorded for its query, or those of the first page with other links; undefined for an array. */
export function recordedEnvelope (
  { resource, origin, target }: ListRequest, { envelopes = {}, frame }: RecordedForm, list: () => Listed
): { frame: Frame, start: number, size: number } | undefined {
  const own = envelopes[target.slice(resource.path.length + 1)]
  if (own !== undefined) {
    const here = (text: string) => text.replace(new RegExp(string, 'g'), token => {
      const at = token.indexOf(resource.path)
      return at > 0 && /^"\w+:\/\/[^\s/]+/.test(token) ? `"${origin}${token.slice(at)}` : token
    })
    return { ...own, frame: { open: `${here(own.open)}[`, separator: frame.separator, close: `]${here(own.close)}` } }
  }
  const { page, links } = list()
  const [first] = Object.values(envelopes)
  if (page === undefined || links === undefined || first === undefined) return undefined
  const fill = (text: string) => Object.entries(links).reduce((text, [name, value]) =>
    text.replace(new RegExp(`("${name}"\\s*:\\s*)(?:null|\\d+|${string})`), (_, start: string) => start + JSON.stringify(value)), text)
  return { ...page, frame: { open: `${fill(first.open)}[`, separator: frame.separator, close: `]${fill(first.close)}` } }
}
