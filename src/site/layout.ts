import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html } from 'ghtml'
import { assetDirectory, version } from '../package.ts'
import { basePathOf } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import { resources } from '../lists/resources.ts'

const [css, script] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8']

/** Assets; their URLs contain a hash of their content, so that caches can store them for ever. */
export const assets = {
  style: read('style.css', css, ['theme.css', 'frame.css', 'code.css']),
  recordsStyle: read('records.css', css),
  documentsStyle: read('documents.css', css),
  simulateStyle: read('simulate.css', css),
  script: read('page.js', script),
  simulateScript: read('simulate.js', script),
  mark: read('mark.svg', 'image/svg+xml')
}

/** Reads an asset, which may consist of several files; CSS comments are removed. */
function read (name: string, type: string, files = [name]) {
  const body = files.map(file => readFileSync(join(assetDirectory, file), 'utf8')).join('\n').replace(/^ *\/\*.*\*\/\n+/gm, '')
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 10)
  return { path: `/assets/${name.replace('.', `.${digest}.`)}`, type, body }
}

const places = [
  ['/api/v1/bikes/?format=api', 'Lists'], ['/__simulate', 'Simulation'], ['/docs/', 'Docs'], ['/tokens/', 'Tokens']
] as const

export type PageSettings = Pick<Settings, 'publicUrl' | 'simulate' | 'tokenForm'>

type Page = { title: string, path: string, main: string, settings: PageSettings, style?: typeof assets.style, script?: typeof assets.style }

/** Returns an HTML page: a head with the title, which is empty for the home page, skip link, navigation, `main` (HTML) and footer. */
export function layout ({ title, path, main, settings, style = assets.recordsStyle, script = assets.script }: Page): string {
  const isList = path.startsWith('/api/')
  const link = ([address, text]: readonly [string, string]) => html`<li>
<a href="!${address}"!${address === (isList ? places[0][0] : path) ? ' aria-current="page"' : ''}>${text}</a></li>
`
  const hidden = new Set([...settings.tokenForm ? [] : ['/tokens/'], ...settings.simulate ? [] : ['/__simulate']])
  return below(basePathOf(settings), html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title && `${title} · `}Bicycle Catalogue</title>
<meta name="description" content="A read-only catalogue of bicycles and their components as JSON over HTTP.">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assets.mark.path}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style.path}">
<link rel="stylesheet" href="${style.path}">
<script type="module" blocking="render" src="${script.path}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="site"><div class="wrap">
<a class="brand" href="/">!${mark}<span>Bicycle Catalogue</span></a>
<nav aria-label="Site"><ul>
!${places.filter(([address]) => !hidden.has(address)).map(link)}</ul></nav>
</div></header>
!${isList ? listsNavigation(path) : ''}<main id="main" tabindex="-1"><div class="wrap">
!${main}
</div></main>
<footer class="foot"><div class="wrap">
<p>bicycle-catalogue ${version}</p>
<nav aria-label="Project"><ul>
!${link(['/changelog/', 'Changelog'])}!${link(['/versioning/', 'Versioning'])}</ul></nav>
<p>Not affiliated with any manufacturer.</p>
</div></footer>
</body>
</html>
`)
}

/** Puts the base path in front of each link to this server. Escaped text has no quotes, so only attributes match. */
function below (basePath: string, page: string): string {
  if (basePath === '') return page
  const links = / (?:href|src|srcset|action|data-token|data-json)="[^"]+"/g
  return page.replace(links, link => link.replace(/(?<=[" ])\/(?!\/)/g, `${basePath}/`))
}

/** The logo, a bicycle in one line. */
export const mark = html`<img class="mark" alt="" src="${assets.mark.path}" width="48" height="48">`

const listsNavigation = (path: string) => html`<nav class="chips wrap" aria-label="Lists">
!${resources.map(list => html`<a href="${list.path}?format=api"!${list.path === path ? ' aria-current="page"' : ''}>${list.shortName}</a>
`)}</nav>
`

/** Returns the notice that a page is simulated, with the cause; empty without one. */
export function simulatedNotice (cause: string | undefined): string {
  if (cause === undefined) return ''
  return html`<p class="simulated">Simulated: <code>${cause}</code>. <a href="/__simulate">Simulation</a></p>
`
}
