import ts from 'typescript'

/** A piece of a source, in characters, and its replacement. */
export type Change = { file: string, start: number, end: number, from: string, text: string, line: number, source: string }

const { SyntaxKind: kind } = ts

const operators: Partial<Record<ts.SyntaxKind, string>> = {
  [kind.EqualsEqualsEqualsToken]: '!==',
  [kind.ExclamationEqualsEqualsToken]: '===',
  [kind.LessThanToken]: '<=',
  [kind.LessThanEqualsToken]: '<',
  [kind.GreaterThanToken]: '>=',
  [kind.GreaterThanEqualsToken]: '>',
  [kind.AmpersandAmpersandToken]: '||',
  [kind.BarBarToken]: '&&',
  [kind.QuestionQuestionToken]: '&&',
  [kind.PlusToken]: '-',
  [kind.MinusToken]: '+',
  [kind.AsteriskToken]: '/',
  [kind.SlashToken]: '*',
  [kind.PercentToken]: '*',
  [kind.PlusEqualsToken]: '-=',
  [kind.MinusEqualsToken]: '+='
}

/** Returns every possible change of one operator, constant or condition in a source. */
export function changesOf (file: string, text: string): Change[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true)
  const changes: Change[] = []

  function change (node: ts.Node, replacement: string): void {
    const start = node.getStart(tree)
    const line = tree.getLineAndCharacterOfPosition(start).line
    const source = text.split('\n')[line]?.trim() ?? ''
    changes.push({ file, start, end: node.end, from: text.slice(start, node.end), text: replacement, line: line + 1, source })
  }

  function visit (node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isModuleDeclaration(node)) return
    for (const [piece, replacement] of replacements(node)) change(piece, replacement)
    ts.forEachChild(node, visit)
  }

  visit(tree)
  return changes
}

function replacements (node: ts.Node): [piece: ts.Node, text: string][] {
  if (ts.isBinaryExpression(node)) {
    const operator = operators[node.operatorToken.kind]
    return operator === undefined || joinsTexts(node) ? [] : [[node.operatorToken, operator]]
  }
  if (ts.isIfStatement(node)) return [[node.expression, 'true'], [node.expression, 'false']]
  if (ts.isConditionalExpression(node)) return [[node.condition, 'true'], [node.condition, 'false']]
  if (ts.isPrefixUnaryExpression(node) && node.operator === kind.ExclamationToken) return [[node, `(${node.operand.getText()})`]]
  if (ts.isNumericLiteral(node)) return [[node, `(${node.text} + 1)`]]
  if (node.kind === kind.TrueKeyword) return [[node, 'false']]
  if (node.kind === kind.FalseKeyword) return [[node, 'true']]
  if (ts.isStringLiteral(node) && !isName(node)) return [[node, node.text === '' ? "'changed'" : "''"]]
  return []
}

const joinsTexts = ({ operatorToken, left, right }: ts.BinaryExpression) =>
  operatorToken.kind === kind.PlusToken && [left, right].some(side => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side))

/** Returns whether a text names a property or a module, which the compiler checks. */
const isName = ({ parent }: ts.StringLiteral) =>
  ts.isPropertyAssignment(parent) ? false : ts.isElementAccessExpression(parent) || ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)
