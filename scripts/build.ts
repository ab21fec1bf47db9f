import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { _, Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { build, type BuildOptions, type OnLoadResult } from 'esbuild'
import { stored } from '../schemas/stored.ts'
import { resolveLinks } from '../src/catalogue/files.ts'
import { readImages } from '../src/catalogue/images.ts'
import { dataDirectory } from '../src/package.ts'

// Bundles the command, the exports of the package and all dependencies into ES modules, and lists their licences.
const [, , folder = 'dist'] = process.argv

rmSync(folder, { recursive: true, force: true })
const shared = {
  outdir: folder,
  bundle: true,
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 160, // Node prints the line of an error that nobody catches
  platform: 'node',
  target: 'node20',
  legalComments: 'none', // licences.txt contains them
  metafile: true,
  logLevel: 'warning'
} satisfies BuildOptions

// Browsers can use the schemas, too.
const alone = await build({
  ...shared,
  entryPoints: [{ in: 'schemas/index.ts', out: 'schemas' }, { in: 'src/engine.ts', out: 'engine' }],
  platform: 'neutral',
  format: 'esm',
  external: ['node:*']
})
const { metafile } = await build({
  ...shared,
  entryPoints: ['src/cli.ts', 'src/index.ts'],
  splitting: true,
  format: 'esm',
  // Bundled CommonJS modules call require.
  banner: {
    js: "import './engine.js';import{createRequire}from'node:module';const require=createRequire(import.meta.url);"
  },
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' }, // its main file calls a `require` that cannot be bundled
  inject: ['src/base/timers.ts', 'scripts/globals.ts'],
  define: { 'process.nextTick': 'nextTick' },
  external: ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'], // src/app.ts replaces them
  plugins: [{
    name: 'replace modules',
    setup ({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/]catalogue[\\/]authored[\\/]validators\.ts$/ }, validators)
      onLoad({ filter: /[\\/]src[\\/]catalogue[\\/]built-in-images\.ts$/ }, builtInImages)
      // pino needs this module for transports only.
      onLoad({ filter: /[\\/]node_modules[\\/]thread-stream[\\/]index\.js$/ }, () => ({ contents: '' }))
    }
  }]
})

const inputs = [metafile, alone.metafile].flatMap(({ inputs }) => Object.keys(inputs))
const packages = inputs.flatMap(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [])
writeFileSync(join(folder, 'licences.txt'), [...new Set(packages)].sort().map(licenceOf).join('\n'))

/** Returns the exports of src/catalogue/authored/validators.ts as compiled code, which starts about 100 ms faster. */
function validators (): OnLoadResult {
  const ajv = new Ajv({ messages: false, code: { esm: true, source: true, formats: _`formats` } })
  ajv.addFormat('date-time', () => true)
  const idOf = (name: string) => name.replace('/', '_')
  for (const [name, schema] of Object.entries(stored)) ajv.addSchema(schema, idOf(name))
  const names = Object.keys(stored)
  return {
    contents: `import { isTimestamp } from '../../base/timestamps.ts'
const formats = { 'date-time': isTimestamp }
${standalone.default(ajv, Object.fromEntries(names.map(name => [idOf(name), idOf(name)])))}
export const validators = { ${names.map(name => `'${name}': ${idOf(name)}`).join()} }`
  }
}

/** Returns the exports of src/catalogue/built-in-images.ts with what the headers of the images say. */
function builtInImages (): OnLoadResult {
  const { media } = resolveLinks(dataDirectory)
  const { images } = readImages([media])
  const entries = [...images].map(([url, image]) => [url.slice('/media/'.length), image])
  return { contents: `export const builtInImages = new Map(${JSON.stringify(entries)})` }
}

function licenceOf (path: string): string {
  const manifest = readFileSync(join(path, 'package.json'), 'utf8')
  const { name, version, license } = JSON.parse(manifest) as Record<string, string>
  const file = readdirSync(path).find(file => /^licen[cs]e/i.test(file))
  const text = file === undefined ? '' : readFileSync(join(path, file), 'utf8').trim()
  return `${name} ${version}, ${license}\n\n${text}\n\n${'-'.repeat(80)}\n`
}
