import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
// Not imported, because an import evaluates all that a module of Node exports.
const { readFileSync } = require('node:fs') as typeof import('node:fs')
const { Script } = require('node:vm') as typeof import('node:vm')

/** The programs in the code that the build makes of the sources; each runs when it is called, and gives what it exports. */
type Programs = { cli: () => unknown, start: () => typeof import('../start.ts'), checker: () => unknown }

/** The name of the code's file, from the build. */
declare const codeFile: string

const url = new URL(codeFile, import.meta.url)

/** Where V8's code cache is, for this version of Node and this kind of processor. */
export const cacheUrl = new URL(codeFile.replace(/\.cjs$/, `.${process.version}-${process.arch}.cache`), import.meta.url)

/**
 * The code, with what V8 has compiled of it before, so that no start has to: it takes a quarter less. Where there is no cache, or one
 * that was made with other flags of V8, it is compiled as it is called.
 */
export const script = new Script(readFileSync(url, 'latin1'), { filename: url.href, cachedData: readCache() })

const module = { exports: {} as Programs }
script.runInThisContext()(require, import.meta, module)

/** The programs of this package. */
export const programs = module.exports

function readCache (): Buffer | undefined {
  try {
    return readFileSync(cacheUrl)
  } catch {
    return undefined
  }
}
