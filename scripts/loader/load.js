import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const cache = new URL('../../node_modules/.cache/strip-types/', import.meta.url)

/** A text without its types; kept under the digest of the text, because the compiler takes longer to load than most tests take. */
export function strip (text) {
  const kept = new URL(`${createHash('sha1').update(text).digest('hex')}.js`, cache)
  try {
    return readFileSync(kept, 'utf8')
  } catch {
    const { default: blankTypes } = require('ts-blank-space')
    const stripped = blankTypes(text)
    const draft = new URL(`${process.pid}.${performance.now()}`, cache)
    mkdirSync(cache, { recursive: true })
    writeFileSync(draft, stripped)
    renameSync(draft, kept)
    return stripped
  }
}

/** The change that scripts/mutations.ts tries; it counts in characters of the source, which stripping leaves where they are. */
const trial = JSON.parse(process.env.MUTATION ?? '{}')

/** Node's hook that loads TypeScript, with blanks where types were, so that lines, columns and coverage are those of the source. */
export function load (url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const source = strip(readFileSync(new URL(url), 'utf8'))
  const changed = url === trial.url ? source.slice(0, trial.start) + trial.text + source.slice(trial.end) : source
  return { format: 'module', source: changed, shortCircuit: true }
}
