import { html } from 'ghtml'
import { version } from '../package.ts'
import { resources } from '../lists/resources.ts'
import { asset } from './assets.ts'

/** The places that every page leads to. */
const places = [
  { path: '/api/v1/bikes/', query: '?format=api', text: 'Lists' },
  { path: '/docs/', text: 'Reference' },
  { path: '/tokens/', text: 'Token' },
  { path: '/changelog/', text: 'Changelog' },
  { path: '/versioning/', text: 'Versioning' }
]

/** What differs between pages; `main` is HTML. */
export type Page = { title: string, path: string, description?: string, main: string, hasTokenForm: boolean }

const about = 'A read-only catalogue of bicycles and their components as JSON over HTTP.'

/** A page as a whole: head, skip link, navigation, main part, foot. */
export function layout ({ title, path, description = about, main, hasTokenForm }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${asset('mark.svg').path}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('style.css').path}">
<script type="module" src="${asset('page.js').path}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="site"><div class="wrap">
<a class="brand" href="/">!${mark()}Bicycle Catalogue</a>
<nav aria-label="Site"><ul>
!${places.filter(({ path }) => hasTokenForm || path !== '/tokens/').map(place => navigationItem(place, path))}</ul></nav>
</div></header>
<main id="main" tabindex="-1"><div class="wrap">
!${main}
</div></main>
<footer class="foot"><div class="wrap">
<p>bicycle-catalogue ${version}</p>
<p>Illustrative fixture data; not affiliated with any maker.</p>
</div></footer>
</body>
</html>
`
}

/** The mark of the catalogue, a bicycle in one line. */
export function mark (): string {
  return html`<img class="mark" alt="" src="${asset('mark.svg').path}" width="48" height="48">`
}

function navigationItem ({ path, query = '', text }: typeof places[number], here: string): string {
  const current = here.startsWith('/api/') ? path.startsWith('/api/') : path === here
  return html`<li><a href="${path}!${query}"!${current ? ' aria-current="page"' : ''}>${text}</a></li>
`
}

/** The way from list to list. */
export function listsNavigation (path: string): string {
  return html`<nav class="chips" aria-label="Lists">
!${resources.map(list => html`<a href="${list.path}?format=api"!${list.path === path ? ' aria-current="page"' : ''}>${list.shortName}</a>
`)}</nav>
`
}
