import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seeded, type Random } from '../../src/simulation/random.ts'
import { between, pick } from '../generate/random.ts'

/** JSON texts that a field is not made for. */
const odd = [
  'null', 'true', '0', '-0', '-1', '1.5', '1e308', '-1e308', '1e-320', '1e999', '9007199254740991', '9007199254740993', '2147483648', '0.1',
  '""', '" "', '"\\u0000"', '"\\ud800"', '"\\ud83d\\udeb2"', '"<b7q\\">"',
  '"-1.00"', '"1.00"', '"1e3"', '"999999999999.00"', '"00.00"', '"2024-02-30T00:00:00Z"', '"2024-01-01"',
  '"9999-12-31T23:59:59.999999999999Z"', '"0000-01-01T00:00:00Z"', '"//x"', '"javascript:1"', '"/media/bikes/swift.jpg"',
  '"/media/bikes/swift.jpg?x"', '"/media/bikes/SWIFT.jpg"', '"https://x/\\u0000"', '"http://a b/"', '"https://user:pass@x/"',
  '"\\r\\nSet-Cookie: a=b"', '"{origin}"', '"\\u2028"', `"${'x'.repeat(5000)}"`, '[]', '[null]', '[1,1]', '[2]', '{}', '{"a":1}',
  '{"__proto__":1}', `${'['.repeat(400)}${']'.repeat(400)}`, '"road"', '"Time Trial"', '1', '2', '3'
]

const pieces = ['"', '{', '}', '[', ']', ',', ':', '\\', '\0', '\ufeff', '\n', '//', 'e', '-', '0', 'null', '\ud83d\udeb2', '/*', "'"]

type Node = { [name: string]: unknown }

/** Changes one file of a catalogue in a way that the seed decides; gives what was done. */
export function mutate (directory: string, seed: number): string {
  const random = seeded(seed)
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.json')).sort()
  const file = pick(random, files)
  const path = join(directory, file)
  const text = readFileSync(path, 'utf8')
  const [what, changed] = pick(random, [ofValue, ofValue, ofValue, ofStructure, ofText])(random, text)
  writeFileSync(path, changed)
  return `${file}: ${what}`
}

type Change = (random: Random, text: string) => [what: string, text: string]

/** Puts an odd value in place of another one. */
const ofValue: Change = (random, text) => {
  const values = [...text.matchAll(/(?<=: |\[\s*|,\s*)("(?:[^"\\]|\\.)*"(?!:)|-?[\d.]+|null|true|false|\[\])/g)]
  const found = pick(random, values)
  const value = pick(random, odd)
  return [
    `${found[0]} at ${found.index} becomes ${value.slice(0, 60)}`,
    text.slice(0, found.index) + value + text.slice(found.index + found[0].length)
  ]
}

/** Takes away, doubles or moves properties and records. */
const ofStructure: Change = (random, text) => {
  const content = JSON.parse(text) as Node
  const parents = nodesOf(content)
  const parent = pick(random, parents)
  const names = Object.keys(parent)
  const name = pick(random, names.length === 0 ? ['x'] : names)
  const value = structuredClone(pick(random, pick(random, parents.map(node => Object.values(node))).concat([null])))
  const what = pick(random, ['delete', 'copy', 'add', 'empty'] as const)
  if (what === 'delete' && Array.isArray(parent)) parent.splice(Number(name), 1)
  else if (what === 'delete') delete parent[name]
  else if (what === 'copy' && Array.isArray(parent)) parent.push(structuredClone(parent[Number(name)]))
  else if (what === 'add') parent[Array.isArray(parent) ? parent.length : `x${between(random, 0, 9)}`] = value
  else parent[name] = what === 'empty' ? Array.isArray(parent[name]) ? [] : {} : value
  return [`${what} ${name}`, JSON.stringify(content, null, between(random, 0, 2))]
}

function nodesOf (value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return []
  return [value as Node, ...Object.values(value).flatMap(nodesOf)]
}

/** Changes the characters of a text. */
const ofText: Change = (random, text) => {
  const from = between(random, 0, text.length)
  const to = Math.min(text.length, from + between(random, 0, pick(random, [1, 3, 40, 5000])))
  const piece = random() < 0.5 ? '' : pick(random, pieces)
  return [
    `${JSON.stringify(text.slice(from, Math.min(to, from + 40)))} at ${from} to ${to} becomes ${JSON.stringify(piece)}`,
    text.slice(0, from) + piece + text.slice(to)
  ]
}
