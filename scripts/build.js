import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { _, Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { build } from 'esbuild'

// Makes one file of the server and all that it needs and a few of the rest, has V8 compile it, and writes down whose work is in it.
const [, , folder = 'dist'] = process.argv

const options = {
  outdir: folder,
  bundle: true,
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  minifyWhitespace: true, // a tenth less to load
  minifySyntax: true,
  lineLimit: 200,
  legalComments: 'none', // the licences stand in a file of their own
  metafile: true,
  write: false,
  logLevel: 'warning'
}

const programs = { serve: './src/command/serve.ts', start: './src/start.ts', checker: './src/catalogue/checker.ts' }
const code = await build({
  ...options,
  stdin: { contents: `module.exports = { ${Object.entries(programs).map(([name, file]) => `${name}: () => require('${file}')`)} }`, resolveDir: '.' },
  entryNames: 'code-[hash]',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  banner: { js: '(function(require,meta,module){"use strict";' }, // what src/command/code.ts calls
  footer: { js: '})' },
  define: { 'import.meta.url': 'meta.url', 'import.meta.resolve': 'meta.resolve' },
  supported: { 'dynamic-import': false }, // what is seldom needed is run when it is
  external: ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'], // Fastify compiles nothing here: src/app.ts
  plugins: [{
    name: 'beforehand',
    setup ({ onLoad }) {
      onLoad({ filter: /\/src\/catalogue\/acceptors\.ts$/ }, acceptors)
      onLoad({ filter: /\/src\/pages\/articles\.ts$/ }, articles)
      // Who has called pino matters to transports, which nobody uses here; to find that out takes 2 ms of a start.
      onLoad({ filter: /\/pino\/lib\/caller\.js$/ }, () => ({ contents: 'module.exports = () => []' }))
    }
  }]
})
// It is read byte by byte: src/command/code.ts. In strings the bundler escapes what is not ASCII, in templates it cannot.
const bundle = code.outputFiles.find(({ path }) => path.endsWith('.cjs'))
const [odd] = /.*[^\0-\x7f].*/.exec(bundle.text) ?? []
if (odd !== undefined) throw new Error(`write what is not ASCII as an entity or an escape: ${odd}`)
const codeFile = basename(bundle.path)
const modules = await build({
  ...options,
  entryPoints: { cli: 'src/cli.ts', code: 'src/command/code.ts', schemas: 'schemas/index.ts' },
  splitting: true, // what is seldom needed is loaded when it is
  format: 'esm',
  banner: { js: "import { createRequire as $$ } from 'node:module'; const require = $$(import.meta.url), $ = require;" },
  define: { codeFile: JSON.stringify(codeFile) },
  plugins: [{
    name: 'apart',
    setup ({ onResolve }) {
      onResolve({ filter: /\/command\/serve\.ts$/ }, () => ({ path: './serve.js', external: true }))
    }
  }]
})
const files = [...code.outputFiles, ...modules.outputFiles.map(({ path, text }) => ({ path, text: path.endsWith('.js') ? required(text) : text }))]
const program = (name, exported) => ({
  path: join(folder, `${name}.js`),
  text: `import { programs } from './code.js'\n${exported}programs.${name}()\n`
})

const isOld = name => /\.(c?js(\.map)?|part)$/.test(name) || (name.endsWith('.cache') && !name.startsWith(codeFile.slice(0, -'cjs'.length)))

for (const name of filesOf(folder).filter(isOld)) rmSync(join(folder, name))
mkdirSync(folder, { recursive: true })
for (const { path, text } of [...files, program('serve', 'export const { serve } = '), program('start', 'export const { start } = '), program('checker', '')]) {
  writeFileSync(path, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
}

if (!filesOf(folder).some(name => name.endsWith(`.${process.version}-${process.arch}.cache`))) await compile()

const inputs = { ...code.metafile.inputs, ...modules.metafile.inputs }
const packages = new Set(Object.keys(inputs).map(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []).flat())
writeFileSync(join(folder, 'licences.txt'), [...packages].sort().map(licenceOf).join('\n'))

/**
 * Takes modules of Node by `require`: an import evaluates all that they export, with `node:http` a WebSocket and so a whole client. As
 * long as it was, so that places in the maps stay true.
 */
function required (text) {
  return text.replace(/import\{([^}]+)\}from("node:[^"]+");/g, (statement, names, module) =>
    `const{${names.replaceAll(' as ', ':')}}=$(${module});`.padEnd(statement.length))
}

/** Has the command of this build answer what is asked most, so that V8 compiles it; where it cannot serve, there is no code cache. */
async function compile () {
  const token = 'x'.repeat(40)
  const server = fork('scripts/compile.js', [folder, '--port', '0', '--tokens', token], {
    env: { NODE_OPTIONS: process.env.NODE_OPTIONS }, stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const [{ url }] = await Promise.race([once(server, 'message'), once(server, 'exit').then(() => [{}])])
  if (url === undefined) return
  for (const path of ['/', '/docs/', '/api/v1/bikes/', '/api/v2/bikes/?page_size=100', '/api/v2/bikes/?brand=trek&ordering=-title&format=api', '/media/bikes/1.jpg', '/nowhere']) {
    await fetch(url + path, { headers: { authorization: `Token ${token}` } }).then(answer => answer.text())
  }
  server.disconnect()
  await once(server, 'exit')
}

/** What src/catalogue/acceptors.ts exports, compiled beforehand, so that no start has to. */
async function acceptors () {
  const { stored } = await exportsOf('schemas/stored.ts')
  const ajv = new Ajv({ messages: false, code: { esm: true, source: true, formats: _`formats` } }).addFormat('date-time', () => true)
  const [variables, tables] = [{}, {}]
  for (const [folder, schemas] of Object.entries(stored)) {
    for (const [name, schema] of Object.entries(schemas)) {
      const variable = `${folder}_${name}`
      ajv.addSchema(schema, variable)
      variables[variable] = variable
      tables[folder] = `${tables[folder] ?? ''}${name}: ${variable}, `
    }
  }
  // Nobody asks these why; what would say it is most of the code.
  const code = standalone.default(ajv, variables).replace(/validate\d+\.errors = \[\{instancePath.*?\}\];return false;/g, 'return false;')
  return {
    contents: `import { isTimestamp } from './timestamps.ts'
const formats = { 'date-time': isTimestamp }
${code}
export const acceptors = { ${Object.entries(tables).map(([folder, table]) => `${folder}: { ${table} }`).join()} }`
  }
}

/** What src/pages/articles.ts exports, made of Markdown beforehand. */
async function articles () {
  const { articles } = await exportsOf('src/pages/articles.ts')
  return { contents: `export const articles = ${JSON.stringify(articles)}` }
}

/** What a file of the sources exports; it is loaded from where it can find what lies beside package.json. */
async function exportsOf (file) {
  const outfile = resolve(folder, `${basename(file, '.ts')}-${process.pid}.js`)
  await build({ entryPoints: [file], bundle: true, format: 'esm', platform: 'node', outfile })
  try { return await import(pathToFileURL(outfile)) } finally { rmSync(outfile, { force: true }) }
}

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
