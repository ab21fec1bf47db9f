/** Fails when an editor has nothing to show for an option of start(); scripts/test-package.sh runs it on the installed types. */

import assert from 'node:assert/strict'
import ts from 'typescript'
import { settingRows } from '../../src/settings/settings.ts'

const [, , file = ''] = process.argv
const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, types: [] })
const checker = program.getTypeChecker()
const source = program.getSourceFile(file)
assert.ok(source, file)
const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol).find(({ name }) => name === 'Options')
const options = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(exported as ts.Symbol)).getProperties()
const documented = options.filter(option => ts.displayPartsToString(option.getDocumentationComment(checker)).length > 20)
assert.deepEqual(documented.map(({ name }) => name), settingRows.filter(([, { ofCommand }]) => !ofCommand).map(([key]) => key))
