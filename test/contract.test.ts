import { test } from 'tap'
import { checks } from '../src/verify/run.ts'
import { filesIn, read } from './documents.ts'

const clauses = [...read('docs/contract.md').matchAll(/^\| ([SFD]\d+)( ✓)? \|/gm)]
  .map(([, name = '', mark]) => ({ name, isChecked: mark !== undefined }))
const names = clauses.map(({ name }) => name)

test('docs/contract.md numbers the clauses of each part in order', async t => {
  for (const part of ['S', 'F', 'D']) {
    const own = names.filter(name => name.startsWith(part))
    t.ok(own.length > 20, part)
    t.same(own, own.map((_, index) => `${part}${index + 1}`), part)
  }
})

test('each clause that comments, pages and x-provisional name is in docs/contract.md', async t => {
  const files = filesIn(['src', 'schemas', 'scripts', 'docs'], ['.ts', '.md'])
  const cited = files.flatMap(file => [...read(file).matchAll(/\bcontract\b[ \n*]+([SFD]\d+(?:, [SFD]\d+)*)/g)]
    .flatMap(([, list = '']) => list.split(', ').map(name => ({ file, name }))))
  t.ok(cited.length > 9)
  t.same(cited.filter(({ name }) => !names.includes(name)), [])
  const provisional = [...read('schemas/openapi.json').matchAll(/"x-provisional": (.+?),?\n/g)]
    .map(([, value = '']) => JSON.parse(value) as unknown)
  t.ok(provisional.length > 50)
  t.same([...new Set(provisional)].filter(name => !names.includes(String(name))), [])
  for (const file of files) t.notMatch(read(file), /\((?:decisions?|reference|specification)[, ]+["A-Z]/, file)
})

test('verify names clauses only, and each that it can check', async t => {
  const cited = new Set(checks.flatMap(({ source }) => source.split(', ')))
  t.same([...cited].sort(), clauses.filter(({ isChecked }) => isChecked).map(({ name }) => name).sort())
  for (const file of ['docs/reference/cli.md', 'docs/guides/record-and-verify.md']) {
    const named = read(file).matchAll(/(?:--ignore|such as) ([SFD]\d+(?:,[SFD]\d+)*)/g)
    const examples = [...named].flatMap(([, list = '']) => list.split(','))
    t.ok(examples.length > 0 && examples.every(name => cited.has(name)), file)
  }
})
