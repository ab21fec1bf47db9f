import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'

/** The programs in the code that the build makes of the sources; each runs when it is called, and gives what it exports. */
type Programs = { serve: () => typeof import('./serve.ts'), start: () => typeof import('../start.ts'), checker: () => unknown }

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
script.runInThisContext()(createRequire(import.meta.url), import.meta, module)

/** The programs of this package. */
export const programs = module.exports

function readCache (): Buffer | undefined {
  try {
    return readFileSync(cacheUrl)
  } catch {
    return undefined
  }
}
