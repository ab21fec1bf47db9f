import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { _, Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { build } from 'esbuild'

// Makes a few files of src/ and all that it needs, which Node loads in half the time, and writes down whose work is in them.
const [, , folder = 'dist'] = process.argv

for (const name of filesOf(folder)) if (/\.js(\.map)?$/.test(name)) rmSync(join(folder, name))

mkdirSync(folder, { recursive: true })
const { metafile: { inputs }, outputFiles } = await build({
  entryPoints: { cli: 'src/cli.ts', start: 'src/start.ts', checker: 'src/catalogue/checker.ts', schemas: 'schemas/index.ts' },
  outdir: folder,
  bundle: true,
  splitting: true, // what is seldom needed is loaded when it is
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'], // Fastify compiles nothing here: src/app.ts
  sourcemap: true,
  sourcesContent: false,
  minifyWhitespace: true, // a tenth less to load
  minifySyntax: true,
  lineLimit: 200,
  legalComments: 'none', // the licences stand in a file of their own
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url), $ = require;" },
  plugins: [{
    name: 'beforehand',
    setup ({ onLoad }) {
      onLoad({ filter: /\/src\/catalogue\/acceptors\.ts$/ }, acceptors)
      onLoad({ filter: /\/src\/pages\/articles\.ts$/ }, articles)
    }
  }],
  metafile: true,
  write: false,
  logLevel: 'warning'
})
for (const { path, text } of outputFiles) writeFileSync(path, path.endsWith('.js') ? required(text) : text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })

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
