import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { checks } from '../src/verify/command.ts'

const clauses = [...readFileSync('docs/contract.md', 'utf8').matchAll(/^\| ([SFD]\d+)( ✓)? \|/gm)].map(([, name = '', mark]) => ({ name, isChecked: mark !== undefined }))
const names = clauses.map(({ name }) => name)

test('docs/contract.md numbers the clauses of each part in order', t => {
  for (const part of ['S', 'F', 'D']) {
    const own = names.filter(name => name.startsWith(part))
    t.ok(own.length > 20, part)
    t.same(own, own.map((_, index) => `${part}${index + 1}`))
  }
  t.end()
})

test('each clause that comments, pages and x-provisional name is in docs/contract.md', t => {
  const files = ['src', 'schemas', 'scripts', 'docs'].flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.(ts|md)$/.test(file)).map(file => join(folder, file)))
  const cited = files.flatMap(file => [...readFileSync(file, 'utf8').matchAll(/\bcontract\b[ \n*]+([SFD]\d+(?:, [SFD]\d+)*)/g)]
    .flatMap(([, list = '']) => list.split(', ').map(name => ({ file, name }))))
  t.ok(cited.length > 9)
  t.same(cited.filter(({ name }) => !names.includes(name)), [])
  const provisional = [...readFileSync('schemas/openapi.json', 'utf8').matchAll(/"x-provisional": (.+?),?\n/g)].map(([, value = '']) => JSON.parse(value) as unknown)
  t.ok(provisional.length > 50)
  t.same([...new Set(provisional)].filter(name => !names.includes(String(name))), [])
  for (const file of files) t.notMatch(readFileSync(file, 'utf8'), /\((?:decisions?|reference|specification)[, ]+["A-Z]/, file)
  t.end()
})

test('verify names clauses only, and each that it can check', t => {
  const cited = new Set(checks.flatMap(({ source }) => source.split(', ')))
  t.same([...cited].sort(), clauses.filter(({ isChecked }) => isChecked).map(({ name }) => name).sort())
  t.end()
})
