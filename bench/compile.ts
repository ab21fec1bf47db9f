import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import ts from 'typescript'

const { ESNext: module } = ts.ModuleKind
const { ES2023: target } = ts.ScriptTarget

/** Compiles a program of bench/ to dist/bench/, so that it starts without a loader, as the server does; gives its path. */
export function compile (name: string): string {
  const text = readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8')
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module, target, verbatimModuleSyntax: true, rewriteRelativeImportExtensions: true } })
  const path = `dist/bench/${name}.js`
  mkdirSync('dist/bench', { recursive: true })
  writeFileSync(path, outputText)
  return path
}
