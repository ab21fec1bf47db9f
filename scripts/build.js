import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

// Makes a few files of src/ and all that it needs, which Node loads in half the time, and writes down whose work is in them.
const [, , folder = 'dist'] = process.argv

for (const name of filesOf(folder)) if (/\.js(\.map)?$/.test(name)) rmSync(join(folder, name))

const { metafile: { inputs } } = await build({
  entryPoints: { cli: 'src/cli.ts', start: 'src/start.ts', checker: 'src/catalogue/checker.ts', schemas: 'schemas/index.ts' },
  outdir: folder,
  bundle: true,
  splitting: true, // what is seldom needed is loaded when it is
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none', // the licences stand in a file of their own
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  metafile: true,
  logLevel: 'warning'
})

const packages = new Set(Object.keys(inputs).map(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []).flat())
writeFileSync(join(folder, 'licences.txt'), [...packages].sort().map(licenceOf).join('\n'))

/** The name, version and licence of a package, whose text many keep in a file. */
function licenceOf (path) {
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const file = filesOf(path).find(file => /^licen[cs]e/i.test(file))
  const text = file === undefined ? '' : readFileSync(join(path, file), 'utf8').trim()
  return `${name} ${version}, ${license}\n\n${text}\n\n${'-'.repeat(80)}\n`
}

/** The files of a folder; none where there is no folder. */
function filesOf (folder) {
  try { return readdirSync(folder) } catch { return [] }
}
