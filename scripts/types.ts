/** Bundles the types of the package's exports and of TypeBox; the settings describe the options of start(). */

import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { defaultText } from '../src/settings/help.ts'
import { flagOf, programDefaults, settingRows, type Setting } from '../src/settings/settings.ts'
import { optionTypes } from './options.ts'

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
  const types = optionTypes()
  const rowsOfOptions = settingRows.filter(([key]) => types.has(key))
  const properties = rowsOfOptions.map(([key, row]) => `${docOf(key, row)}\n  ${key}?: ${types.get(key)} | undefined`)
  return [
    "import type { OverlayRecords } from '../src/settings/overlay-records.ts'",
    '/** The options of a program; missing ones have their defaults. */',
    `export type Options = {\n${properties.join('\n')}\n}`,
    `export type Settings = { ${settingRows.map(([key]) => `${key}: unknown`).join('; ')} }`
  ].join('\n')
}

/** Describes an option in the words of docs/reference/settings.md. */
function docOf (key: string, row: Setting): string {
  const defaults: Readonly<Record<string, unknown>> = programDefaults
  const text = `${row.help.replace(/^./, first => first.toUpperCase())}. Valid: ${row.asOption ?? row.expects}.`
    .replace(/--([a-z-]+)/g, (flag, name: string) => settingRows.find(([key]) => flagOf(key) === name)?.[0] ?? flag)
  const value = String(defaults[key] ?? defaultText(row)).replace(/^on$/, 'true').replace(/^off$/, 'false')
  return `  /**\n   * ${text}${row.default === undefined ? '' : `\n   * @default ${value}`}\n   */`
}
