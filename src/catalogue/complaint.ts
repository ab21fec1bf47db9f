import { label } from './pointer.ts'

/** What is wrong within a file, before its line and column are known; it is about a value, or about the name of that value. */
export type Complaint = {
  readonly pointer: string
  readonly rule: string
  readonly message: string
  readonly atName?: boolean
}

/** Writes a value for a message: short, on one line. */
export function shown (value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 58)}…${text.slice(-1)}` : text
}

/** Makes a complaint of what must be. */
export function complain (pointer: string, rule: string, must: string): Complaint {
  return { pointer, rule, message: `${label(pointer)} ${must}`.trimStart() }
}

/** Makes a complaint of what a value must be and is not. */
export function complainOf (pointer: string, rule: string, must: string, value: unknown): Complaint {
  return complain(pointer, rule, `${must}, got ${shown(value)}`)
}
