import type { ErrorObject } from 'ajv'
import { complain, complainOf, type Complaint } from './complaint.ts'
import { below, label } from './pointer.ts'
import { either, taken, wording, type Alternative } from './wording.ts'

/** An error with those that it follows from: an anyOf has the errors of its alternatives. */
type Cause = { readonly error: ErrorObject, readonly causes: readonly Cause[] }

function causes (errors: readonly ErrorObject[]): Cause[] {
  const found: Cause[] = []
  for (const error of errors) {
    let from = found.length
    // The errors of the alternatives stand directly before that of the choice.
    while (error.keyword === 'anyOf' && found[from - 1]?.error.schemaPath.startsWith(`${error.schemaPath}/`)) from--
    found.push({ error, causes: found.splice(from) })
  }
  return found
}

function repetition (pointer: string, items: readonly unknown[], first: number, second: number): Complaint {
  const original = below(pointer, Math.min(first, second))
  return complainOf(below(pointer, Math.max(first, second)), 'uniqueItems', `must differ from ${label(original)}`, items[first])
}

const isNullable = ({ parentSchema }: ErrorObject) => [parentSchema?.['type']].flat().includes('null')

function single (error: ErrorObject, orNull: string): Complaint {
  const { instancePath: pointer, keyword: rule, params, data } = error
  switch (rule) {
    case 'required':
      return complain(pointer, rule, `must have the property ${params['missingProperty']}`)
    case 'additionalProperties':
      return { ...complain(below(pointer, params['additionalProperty']), rule, 'is not a known property'), atName: true }
    case 'uniqueItems':
      return repetition(pointer, data as unknown[], params['i'], params['j'])
    case 'type':
      return complainOf(pointer, rule, `${wording(error)}${orNull}`, data)
    default:
      return complainOf(pointer, rule, `${wording(error)}${isNullable(error) ? ' or null' : orNull}`, data)
  }
}

/** Of a choice, complains about the alternative of the value's own type, or, if there is none, names them all. */
function choice ({ error, causes }: Cause, orNull: string): Complaint[] {
  const { instancePath: pointer, schemaPath, data } = error
  const alternatives = error.schema as readonly Alternative[]
  const causesOf = (index: number) => causes.filter((cause) => cause.error.schemaPath.startsWith(`${schemaPath}/${index}/`))
  const isOfItsType = (index: number) => causesOf(index)
    .every((cause) => cause.error.instancePath !== pointer || !['type', 'const'].includes(cause.error.keyword))

  const own = alternatives.findIndex((_, index) => isOfItsType(index))
  if (own === -1) return [complainOf(pointer, 'type', `must be ${either(alternatives.map(taken))}${orNull}`, data)]

  const alsoNull = alternatives.some(({ type }) => type === 'null') ? ' or null' : orNull
  return causesOf(own).flatMap((cause) => complaints(cause, cause.error.instancePath === pointer ? alsoNull : ''))
}

function complaints (cause: Cause, orNull: string): Complaint[] {
  return cause.error.keyword === 'anyOf' ? choice(cause, orNull) : [single(cause.error, orNull)]
}

const isSaidByConst = ({ keyword, parentSchema }: ErrorObject) => keyword === 'type' && parentSchema?.['const'] !== undefined

/** Turns the errors of ajv (all of them, verbose) into complaints that say what would be right, one for each cause. */
export function explain (errors: readonly ErrorObject[]): Complaint[] {
  const all = causes(errors.filter((error) => !isSaidByConst(error))).flatMap((cause) => complaints(cause, ''))
  // A pattern and a format that say the same in words are one complaint.
  return all.filter(({ pointer, message }, index) => pointer !== all[index - 1]?.pointer || message !== all[index - 1]?.message)
}
