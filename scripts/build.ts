import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { _, Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { build, type BuildOptions, type OnLoadResult, type Plugin } from 'esbuild'
import fastJsonStringify from 'fast-json-stringify'
import { records } from '../schemas/lists.ts'
import { stored } from '../schemas/stored.ts'
import { withNullable } from '../src/lists/compile.ts'

// Bundles the command, the exports of the package and all dependencies, and lists these with their licences.
const [, , folder = 'dist'] = process.argv

rmSync(folder, { recursive: true, force: true })
const shared = {
  outdir: folder,
  bundle: true,
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 160, // Node prints the line of an error that nobody catches
  target: 'node20',
  legalComments: 'none', // licences.txt contains them
  metafile: true,
  logLevel: 'warning'
} satisfies BuildOptions

const program = {
  ...shared,
  platform: 'node',
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' }, // its main file calls a `require` that cannot be bundled
  inject: ['src/base/timers.ts', 'scripts/globals.ts'],
  define: { 'process.nextTick': 'nextTick' }
} satisfies BuildOptions

const replacements: Plugin = {
  name: 'replace modules',
  setup ({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]catalogue[\\/]authored[\\/]validators\.ts$/ }, validators)
    onLoad({ filter: /[\\/]src[\\/]lists[\\/]serialisers\.ts$/ }, serialisers)
    // Fastify calls this function for each server; no route has a schema of what a client sends.
    const noCompiler = { contents: 'module.exports = () => {}' }
    onLoad({ filter: /[\\/]@fastify[\\/]ajv-compiler[\\/]index\.js$/ }, () => noCompiler)
    // pino needs this module for transports only.
    onLoad({ filter: /[\\/]node_modules[\\/]thread-stream[\\/]index\.js$/ }, () => ({ contents: '' }))
  }
}

/** Requires the server: Node analyses a CommonJS module that is imported, which takes up to half a second. */
const requireServer: Plugin = {
  name: 'require the server',
  setup ({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]src[\\/]index\.ts$/ }, () => requireNames(packageExports()))
    onLoad({ filter: /[\\/]src[\\/]command[\\/]serve\.ts$/ }, () => requireNames(['serve']))
    onResolve({ filter: /^\.\/main\.ts$/ }, () => ({ path: './main.js', external: true }))
  }
}

// A server is one CommonJS module, which Node loads in the least time. Libraries that few servers need are others.
const libraries = ['ajv', 'fast-json-stringify', 'ioredis', 'light-my-request', 'marked', 'prom-client', 'uqr']
const server = await build({
  ...program,
  entryPoints: ['src/server.ts', ...libraries].map(file => ({ in: file, out: basename(file, '.ts') })),
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  supported: { 'dynamic-import': false }, // it becomes require
  define: { ...program.define, 'import.meta.url': 'moduleUrl' },
  // Strict as an ES module, also for Bun, which ignores the directives of the libraries.
  banner: { js: "'use strict';const moduleUrl=require('node:url').pathToFileURL(__filename).href;" },
  external: ['@fastify/fast-json-stringify-compiler'], // src/app.ts replaces it
  plugins: [replacements, {
    name: 'leave libraries',
    setup ({ onResolve }) {
      onResolve({ filter: new RegExp(`^(?:${libraries.join('|')})$`) }, ({ path, kind }) => {
        return kind === 'entry-point' ? undefined : { path: `./${basename(path)}.cjs`, external: true }
      })
    }
  }]
})

// Every other command loads only the chunks that it needs.
const commands = await build({
  ...program,
  entryPoints: ['src/main.ts'],
  splitting: true,
  format: 'esm',
  // Bundled CommonJS modules call require.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  plugins: [replacements, requireServer]
})

// Browsers can use the schemas, too.
const entries = await build({
  ...shared,
  entryPoints: [{ in: 'schemas/index.ts', out: 'schemas' }, 'src/cli.ts', 'src/index.ts'],
  platform: 'neutral',
  format: 'esm',
  external: ['node:*'],
  plugins: [requireServer]
})

const inputs = [server, commands, entries].flatMap(({ metafile }) => Object.keys(metafile.inputs))
const packages = new Set(inputs.flatMap(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []))
const paths = [...packages].sort()
writeFileSync(join(folder, 'licences.txt'), paths.map(licenceOf).join('\n'))
writeFileSync(join(folder, 'sbom.json'), `${JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: componentOf('.', 'application') },
  // A version that npm has installed in two places is one component.
  components: [...new Map(paths.map(path => componentOf(path, 'library')).map(one => [one.purl, one])).values()]
}, null, 2)}\n`)

function requireNames (names: readonly string[]): OnLoadResult {
  return {
    resolveDir: resolve('src'),
    contents: `import './engine.ts'
import { createRequire } from 'node:module'
export const { ${names.join(', ')} } = createRequire(import.meta.url)('./server.cjs')`
  }
}

/** Returns the names that the package exports. */
function packageExports (): string[] {
  const { serve, ...exports } = createRequire(import.meta.url)(resolve(folder, 'server.cjs')) as Record<string, unknown>
  return Object.keys(exports)
}

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

/** Returns the exports of src/lists/serialisers.ts as compiled code, so that no start loads the compiler. */
function serialisers (): OnLoadResult {
  const entries = Object.entries(records).map(([name, schema]) => {
    const code = fastJsonStringify(withNullable(schema), { mode: 'standalone' }) as unknown as string
    return `[records.${name}, (() => { const module = {}; ${code}; return module.exports })()]`
  })
  return {
    contents: `import { records } from '../../schemas/lists.ts'
export const serialisers = new Map([${entries.join()}])`
  }
}

function manifestOf (path: string): Record<'name' | 'version' | 'license', string> {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<'name' | 'version' | 'license', string>
}

/** Returns a package as a component of CycloneDX. */
function componentOf (path: string, type: 'application' | 'library') {
  const { name, version, license } = manifestOf(path)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { type, 'bom-ref': purl, name, version, licenses: [{ expression: license }], purl }
}

function licenceOf (path: string): string {
  const { name, version, license } = manifestOf(path)
  const file = readdirSync(path).find(file => /^licen[cs]e/i.test(file))
  const text = file === undefined ? '' : readFileSync(join(path, file), 'utf8').trim()
  return `${name} ${version}, ${license}\n\n${text}\n\n${'-'.repeat(80)}\n`
}
