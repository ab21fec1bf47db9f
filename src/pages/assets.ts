import { createHash } from 'node:crypto'
import { script } from './script.ts'
import { code } from './style/code.ts'
import { frame } from './style/frame.ts'
import { records } from './style/records.ts'
import { theme } from './style/theme.ts'

/** A file that pages refer to; its address names its content, so that it may be kept for ever. */
export type Asset = { path: string, type: string, body: string }

/** Gives a file whose address has a digest of its content. */
export function asset (name: string, extension: string, type: string, body: string): Asset {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 10)
  return { path: `/assets/${name}.${digest}.${extension}`, type, body }
}

/** The one stylesheet. */
export const stylesheet = asset('style', 'css', 'text/css; charset=utf-8', theme + frame + records + code)

/** The one script; every page works without it. */
export const enhancements = asset('enhance', 'js', 'text/javascript; charset=utf-8', script)
