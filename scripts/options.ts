import { resolve } from 'node:path'
import ts from 'typescript'
import { settingRows } from '../src/settings/settings.ts'

const settingsFile = resolve('src/settings/settings.ts')

/** Returns the type of each option of `start()` by its key, in the order of the settings. */
export function optionTypes (): Map<string, string> {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} }
  const config = ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, host)
  const program = ts.createProgram([settingsFile], config?.options ?? {})
  const checker = program.getTypeChecker()
  const { NoTruncation, InTypeAlias, UseAliasDefinedOutsideCurrentScope } = ts.TypeFormatFlags
  const flags = NoTruncation | InTypeAlias | UseAliasDefinedOutsideCurrentScope
  const source = program.getSourceFile(settingsFile)
  const aliases = source?.statements.filter(ts.isTypeAliasDeclaration) ?? []
  const declaration = aliases.find(({ name }) => name.text === 'Options')
  if (declaration === undefined) throw new Error(`${settingsFile} has no type Options`)
  const type = checker.getTypeAtLocation(declaration)
  return new Map(settingRows.flatMap(([key]) => {
    const option = type.getProperty(key)
    if (option === undefined) return [] // of the command only
    return [[key, checker.typeToString(checker.getNonNullableType(checker.getTypeOfSymbol(option)), undefined, flags)]]
  }))
}
