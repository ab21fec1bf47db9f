import type { Frame, RecordedForm } from '../catalogue/catalogue.ts'
import type { ListPage } from './page.ts'
import type { ListRequest } from './request.ts'

type Listed = { page: ListPage | undefined, links: object | undefined }

const string = String.raw`"(?:[^"\\]|\\.)*"`

/** Returns a recorded text with its absolute links to a list at another origin. */
export const localise = (text: string, path: string, origin: string) => text.replace(new RegExp(string, 'g'), token => {
  const at = token.indexOf(path)
  return at > 0 && /^"\w+:\/\/[^\s/]+/.test(token) ? `"${origin}${token.slice(at)}` : token
})

/** Returns a recorded text with the values of another page. */
export const fill = (text: string, links: object) => Object.entries(links).reduce((text, [name, value]) =>
  text.replace(new RegExp(`("${name}"\\s*:\\s*)(?:null|\\d+|${string})`), (_, start: string) => start + JSON.stringify(value)), text)

/** Returns the texts around a page: those recorded for its query, or those of the first page with other links; undefined for an array. */
export function recordedEnvelope (
  { resource, origin, target }: ListRequest, { envelopes = {}, frame: { separator } }: RecordedForm, list: () => Listed
): { frame: Frame, start: number, size: number } | undefined {
  const { path, hasEnvelopes } = resource
  const own = hasEnvelopes ? envelopes[target.slice(path.length + 1)] : undefined
  if (own !== undefined) {
    return { ...own, frame: { open: localise(own.open, path, origin), separator, close: localise(own.close, path, origin) } }
  }
  const { page, links } = list()
  const [first] = Object.values(envelopes)
  if (page === undefined || links === undefined || first === undefined) return undefined
  return { ...page, frame: { open: fill(first.open, links), separator, close: fill(first.close, links) } }
}
