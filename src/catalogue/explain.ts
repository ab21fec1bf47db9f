import type { ErrorObject } from 'ajv'
import { complain, complainOf, type Complaint } from './complaint.ts'
import { below, label } from './pointer.ts'
import { wording } from './wording.ts'

function repetition (pointer: string, items: readonly unknown[], first: number, second: number): Complaint {
  const original = below(pointer, Math.min(first, second))
  return complainOf(below(pointer, Math.max(first, second)), 'uniqueItems', `must differ from ${label(original)}`, items[first])
}

const isNullable = ({ parentSchema }: ErrorObject) => [parentSchema?.['type']].flat().includes('null')

function complaint (error: ErrorObject): Complaint {
  const { instancePath: pointer, keyword: rule, params, data } = error
  switch (rule) {
    case 'required':
      return complain(pointer, rule, `must have the property ${params['missingProperty']}`)
    case 'additionalProperties':
      return { ...complain(below(pointer, params['additionalProperty']), rule, 'is not a known property'), atName: true }
    case 'uniqueItems':
      return repetition(pointer, data as unknown[], params['i'], params['j'])
    default:
      return complainOf(pointer, rule, `${wording(error)}${rule !== 'type' && isNullable(error) ? ' or null' : ''}`, data)
  }
}

const isSaidByConst = ({ keyword, parentSchema }: ErrorObject) => keyword === 'type' && parentSchema?.['const'] !== undefined

/**
 * Turns the errors of ajv (all of them, verbose) into complaints that say what would be right, one for each cause. The data
 * files' schemas have no alternatives: what may be null says so in its `type`.
 */
export function explain (errors: readonly ErrorObject[]): Complaint[] {
  const all = errors.filter(error => !isSaidByConst(error)).map(complaint)
  // A pattern and a format that say the same in words are one complaint.
  return all.filter(({ pointer, message }, index) => pointer !== all[index - 1]?.pointer || message !== all[index - 1]?.message)
}
