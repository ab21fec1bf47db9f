import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html } from 'ghtml'
import { assetDirectory, version } from '../package.ts'
import { basePathOf } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'

const css = 'text/css; charset=utf-8'
const javascript = 'text/javascript; charset=utf-8'

/** Assets; their URLs contain a hash of their content, so that caches can store them for ever. */
export const assets = {
  style: readAsset('style.css', css, ['theme.css', 'frame.css', 'code.css']),
  recordsStyle: readAsset('records.css', css),
  documentsStyle: readAsset('documents.css', css),
  simulateStyle: readAsset('simulate.css', css),
  script: readAsset('page.js', javascript),
  simulateScript: readAsset('simulate.js', javascript),
  mark: readAsset('mark.svg', 'image/svg+xml')
}

/** Reads an asset, which may consist of several files, without the comments that fill lines, and indents. */
function readAsset (name: string, type: string, files = [name]) {
  const contents = files.map(file => readFileSync(join(assetDirectory, file), 'utf8'))
  let body = contents.join('\n').replace(/^ *(?:\/\/.*|\/\*[^]*?\*\/)\n+/gm, '').replace(/^ +/gm, '')
  if (type === css) body = body.replace(/(?<=[{,:;]) | (?=[{}])/g, '') // spaces around punctuation
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 10)
  const [stem, extension] = name.split('.')
  return { path: `/assets/${stem}.${digest}.${extension}`, type, body }
}

/** A link of the site's navigation, and the start of the paths that it is for, unless that is its address. */
type SitePlace = { address: string, text: string, below?: string }

const listsPlace: SitePlace = { address: '/api/v1/bikes/?format=api', text: 'Lists', below: '/api/' }
const simulationPlace: SitePlace = { address: '/__simulate', text: 'Simulation' }
const documentsPlace: SitePlace = { address: '/docs/', text: 'Docs' }
const projectPlaces: SitePlace[] = [
  { address: '/changelog/', text: 'Changelog' },
  { address: '/versioning/', text: 'Versioning' }
]
const tokensPlace: SitePlace = { address: '/tokens/', text: 'Tokens' }

export type PageSettings = Pick<Settings, 'publicUrl' | 'simulate' | 'tokenForm'>

/**
 * A page: its title, which is empty for the home page, its path, its content (HTML), and its assets unless they are the
 * usual ones.
 */
type Page = {
  title: string
  path: string
  main: string
  settings: PageSettings
  style?: typeof assets.style
  script?: typeof assets.style
}

/** Returns an HTML page: a head with the title, skip link, navigation, `main` and footer. */
export function layout (page: Page): string {
  const { title, path, main, settings, style = assets.recordsStyle, script = assets.script } = page
  const places = [listsPlace]
  if (settings.simulate) places.push(simulationPlace)
  places.push(documentsPlace)
  if (settings.tokenForm) places.push(tokensPlace)
  const link = ({ address, text, below = address }: SitePlace) => html`<li>
<a href="!${address}"!${path.startsWith(below) ? currentPage : ''}>${text}</a></li>
`
  const whole = html`<!DOCTYPE html>
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
!${places.map(link)}</ul></nav>
</div></header>
<main id="main" tabindex="-1"><div class="wrap">
!${main}
</div></main>
<footer class="foot"><div class="wrap">
<p>bicycle-catalogue ${version}</p>
<nav aria-label="Project"><ul>
!${projectPlaces.map(link)}</ul></nav>
<p>Not affiliated with any manufacturer.</p>
</div></footer>
</body>
</html>
`
  // Equals signs are escaped for unquoted attributes, which pages do not have.
  return withBasePath(basePathOf(settings), whole.replaceAll('&#61;', '='))
}

/** Marks the link to the page that is shown. */
export const currentPage = ' aria-current="page"'

/** Puts the base path in front of each link to this server. Escaped text has no quotes, so only attributes match. */
function withBasePath (basePath: string, page: string): string {
  if (basePath === '') return page
  const links = / (?:href|src|srcset|action|data-token)="[^"]+"/g
  return page.replace(links, link => link.replace(/(?<=[" ])\/(?!\/)/g, `${basePath}/`))
}

/** The logo, a bicycle in one line. */
export const mark = html`<img class="mark" alt="" src="${assets.mark.path}" width="48" height="48">`

/** Returns the notice that a page is simulated, with the cause; empty without one. */
export function simulatedNotice (cause: string | undefined): string {
  if (cause === undefined) return ''
  return html`<p class="notice simulated">Simulated: <code>${cause}</code>.
<a href="/__simulate">Simulation</a></p>
`
}
