/** Bundles the types of the package's exports, including TypeBox's; each option of start() has its description from the settings. */

import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import ts from 'typescript'
import { defaultText } from '../src/settings/help.ts'
import { flagOf, programDefaults, rows, type Setting } from '../src/settings/settings.ts'

const settings = resolve('src/settings/settings.ts')
const options = resolve('dist/options.d.ts') // in place of settings.ts
writeFileSync(options, optionsText())

const bundle = await rollup({
  input: { index: 'src/index.ts', schemas: 'schemas/index.ts' },
  external: ['fastify', /^node:/],
  plugins: [
    { name: 'options', resolveId: source => /^\.(?:\/settings)?\/settings\.ts$/.test(source) ? options : undefined },
    dts({ includeExternal: ['@sinclair/typebox'] })
  ]
})
await bundle.write({
  dir: 'dist',
  // Older TypeScript libraries lack AsyncDisposable.
  banner: ({ name }) => name === 'index' ? '// @ts-ignore Fastify may be missing.' : '',
  footer: ({ name }) => name === 'index' ? 'declare global { interface AsyncDisposable {} }' : ''
})
rmSync(options)

function optionsText (): string {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} }
  const program = ts.createProgram([settings], ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, host)?.options ?? {})
  const checker = program.getTypeChecker()
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope
  const [declaration] = program.getSourceFile(settings)?.statements.filter(ts.isTypeAliasDeclaration).filter(({ name }) => name.text === 'Options') ?? []
  if (declaration === undefined) throw new Error(`${settings} has no type Options`)
  const type = checker.getTypeAtLocation(declaration)
  const properties = rows.flatMap(([key, row]) => {
    const option = type.getProperty(key)
    if (option === undefined) return [] // of the command only
    const value = checker.getNonNullableType(checker.getTypeOfSymbol(option))
    return [docOf(key, row), `  ${key}?: ${checker.typeToString(value, undefined, flags)} | undefined`]
  })
  return [
    "import type { OverlayRecords } from '../src/settings/kinds.ts'",
    '/** The options of a program; missing ones have their defaults. */',
    `export type Options = {\n${properties.join('\n')}\n}`,
    `export type Settings = { ${rows.map(([key]) => `${key}: unknown`).join('; ')} }`
  ].join('\n')
}

/** Describes an option in the words of docs/reference/settings.md. */
function docOf (key: string, row: Setting): string {
  const defaults: Readonly<Record<string, unknown>> = programDefaults
  const text = `${row.help.replace(/^./, first => first.toUpperCase())}. Valid: ${row.asOption ?? row.expects}.`
    .replace(/--([a-z-]+)/g, (flag, name: string) => rows.find(([key]) => flagOf(key) === name)?.[0] ?? flag)
  const value = String(defaults[key] ?? defaultText(row)).replace(/^on$/, 'true').replace(/^off$/, 'false')
  return `  /**\n   * ${text}${row.default === undefined ? '' : `\n   * @default ${value}`}\n   */`
}
