import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assetDirectory } from '../package.ts'

/** A file that pages refer to; its address names its content, so that it may be kept for ever. */
export type Asset = { path: string, type: string, body: string }

const css = 'text/css; charset=utf-8'
const js = 'text/javascript; charset=utf-8'
const svg = 'image/svg+xml'

export const assetNames = ['style.css', 'reference.css', 'page.js', 'json.js', 'curl.js', 'reference.js', 'mark.svg'] as const

type AssetName = typeof assetNames[number]

/** Of what files below assets/ each asset is made, and which others a script imports. */
const sources: Readonly<Record<AssetName, { type: string, files: readonly string[], imports?: readonly AssetName[] }>> = {
  'style.css': { type: css, files: ['theme.css', 'frame.css', 'records.css', 'code.css'] },
  'reference.css': { type: css, files: ['reference.css'] },
  'page.js': { type: js, files: ['page.js'] },
  'json.js': { type: js, files: ['json.js'] },
  'curl.js': { type: js, files: ['curl.js'] },
  'reference.js': { type: js, files: ['reference.js'], imports: ['curl.js', 'json.js', 'page.js'] },
  'mark.svg': { type: svg, files: ['mark.svg'] }
}

const made = new Map<AssetName, Asset>()

/** Reads an asset when it is first asked for, and keeps it. */
export function asset (name: AssetName): Asset {
  const known = made.get(name) ?? make(name)
  made.set(name, known)
  return known
}

function make (name: AssetName): Asset {
  const { type, files, imports = [] } = sources[name]
  const text = files.map(read).join('\n')
  const body = imports.reduce((text, imported) => text.replace(`'./${imported}'`, `'${asset(imported).path}'`), text)
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 10)
  return { path: `/assets/${name.replace('.', `.${digest}.`)}`, type, body }
}

function read (file: string): string {
  return readFileSync(join(assetDirectory, file), 'utf8')
}
