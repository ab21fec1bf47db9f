/**
 * Fails when an editor has nothing to show for an option of start(); scripts/test-package.sh runs it on the installed
 * types.
 */

import assert from 'node:assert/strict'
import ts from 'typescript'
import { settingRows } from '../../src/settings/settings.ts'

const [, , file = ''] = process.argv
const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, types: [] })
const checker = program.getTypeChecker()
const source = program.getSourceFile(file)
assert.ok(source, file)
const index = checker.getSymbolAtLocation(source) as ts.Symbol
const exported = checker.getExportsOfModule(index).find(({ name }) => name === 'Options')
const options = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(exported as ts.Symbol)).getProperties()
const textOf = (option: ts.Symbol) => ts.displayPartsToString(option.getDocumentationComment(checker))
const documented = options.filter(option => textOf(option).length > 20)
const rowsOfProgram = settingRows.filter(([, { ofCommand }]) => !ofCommand)
assert.deepEqual(documented.map(({ name }) => name), rowsOfProgram.map(([key]) => key))
