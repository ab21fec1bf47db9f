import { html } from 'ghtml'
import { adviceOn } from './advice.ts'
import { documentBody } from './body.ts'
import { exchange, withoutFormat } from './exchange.ts'
import { layout } from './layout.ts'
import { listsNavigation } from './navigation.ts'

/** An answer that is no list: an error, or the metadata of OPTIONS. */
export type DocumentAnswer = {
  title: string
  method: string
  target: string
  origin: string
  status: number
  headers: Readonly<Record<string, unknown>>
  content: object
}

/** Gives the browsable page of an answer that is no list: its exchange, what to do next, and its JSON. */
export function documentPage ({ title, method, target, origin, status, headers, content }: DocumentAnswer): string {
  const shownTarget = withoutFormat(target)
  const path = target.split('?')[0] as string
  const needsToken = path.startsWith('/api/v2/')
  const shownHeaders = { ...headers, 'content-type': 'application/json' }
  const main = html`!${path.startsWith('/api/') ? listsNavigation(path) : ''}<div class="head">
<h1>${title}</h1>
</div>
!${exchange({ method, target: shownTarget, origin, status, headers: shownHeaders, needsToken, isOpen: true })}
!${adviceOn({ status, path, target, headers, content: content as Record<string, unknown> })}
!${documentBody(content)}`
  return layout({ title: `${title} · Bicycle Catalogue`, path, main })
}
