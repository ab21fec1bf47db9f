import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assetDirectory } from '../package.ts'

/** A file that pages refer to; its URL contains a hash of its content, so that caches never expire it. */
export type Asset = { path: string, type: string, body: string }

const css = 'text/css; charset=utf-8'
const script = 'text/javascript; charset=utf-8'

export const assets = {
  style: read('style.css', css, ['theme.css', 'frame.css', 'records.css', 'code.css']),
  reference: read('reference.css', css),
  simulateStyle: read('simulate.css', css),
  script: read('page.js', script),
  simulateScript: read('simulate.js', script),
  mark: read('mark.svg', 'image/svg+xml')
}

/** Reads an asset, which may be made of several files. */
function read (name: string, type: string, files = [name]): Asset {
  const body = files.map(file => readFileSync(join(assetDirectory, file), 'utf8')).join('\n')
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 10)
  return { path: `/assets/${name.replace('.', `.${digest}.`)}`, type, body }
}
