import { Type, type TSchema } from '@sinclair/typebox'
import { test } from 'tap'
import { createSource } from '../../src/catalogue/source.ts'
import { validate } from '../../src/catalogue/validate.ts'
import { nullable } from '../../schemas/common.ts'

const part = Type.Object({ size: nullable(Type.Integer()), colour: nullable(Type.String()) }, { additionalProperties: false })

const cases: ReadonlyArray<readonly [schema: TSchema, value: unknown, ...messages: string[]]> = [
  [Type.Integer(), 1],
  [Type.Unsafe({ type: ['integer', 'null'] }), 'a', 'must be integer or null, got "a"'],
  [Type.Unsafe({ enum: ['a', 'b', null] }), 'c', 'must be "a", "b" or null, got "c"'],
  [Type.Literal('a'), 1, 'must be "a", got 1'],
  [nullable(Type.String({ minLength: 1 })), '', 'must not be empty or null, got ""'],
  [part, 1, 'must be object, got 1'],
  [part, { size: 'a', colour: 1, weight: 1 }, 'weight is not a known property', 'size must be integer or null, got "a"', 'colour must be string or null, got 1'],
  [part, { colour: 'a' }, 'must have the property size'],
  [Type.Array(part), [{ size: 'a', colour: 'a' }, { size: 'b', colour: 'a' }], '[0].size must be integer or null, got "a"', '[1].size must be integer or null, got "b"'],
  [Type.String({ pattern: '^a+$' }), 'b', 'must be text that matches ^a+$, got "b"'],
  [Type.Array(Type.Integer(), { maxItems: 1 }), [1, 2], 'must have at most 1 items, got an array'],
  [Type.Array(Type.Integer(), { minItems: 1 }), [], 'must have at least 1 items, got an array'],
  [Type.Number({ multipleOf: 2 }), 3, 'must be multiple of 2, got 3'],
  [Type.Array(Type.String(), { uniqueItems: true }), ['a', 'b', 'a'], '[2] must differ from [0], got "a"']
]

test('messages for invalid values', async t => {
  const source = createSource('v1/parts', 'parts.json', '')
  for (const [schema, value, ...messages] of cases) t.strictSame(validate(pointer => ({ source, pointer }), schema, value).map(({ message }) => message), messages, messages.join())
})
