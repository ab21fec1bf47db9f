import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { wholeNumber } from '../../src/settings/kinds.ts'
import type { Wanted } from './catalogue.ts'

/** The flags of `npm run generate`. */
export const usage = 'npm run generate -- --bikes 100000 --out DIR [--seed 1]'

const kinds = { bikes: wholeNumber(1, 1_000_000), seed: wholeNumber(0, 2 ** 32 - 1) }

/** Parses the command line; throws an error of one line for an invalid one. */
export function readFlags (args: readonly string[]): Wanted & { out: string } {
  const values = readTexts([...args])
  if (!values.out) throw new Error(`--out is missing: ${usage}`)
  if (!isFree(values.out)) throw new Error(`--out must be a new or empty directory, got ${values.out}`)
  return { bikes: readNumber('bikes', values.bikes), seed: readNumber('seed', values.seed ?? '1'), out: values.out }
}

function readTexts (args: string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ args, options: { bikes: text, seed: text, out: text } }).values
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.? *\n|\. /)
    throw new Error(`${sentence}: ${usage}`)
  }
}

function readNumber (flag: keyof typeof kinds, text: string | undefined): number {
  if (text === undefined) throw new Error(`--${flag} is missing: ${usage}`)
  const number = kinds[flag].read(text)
  if (number === undefined) throw new Error(`--${flag} must be ${kinds[flag].takes}, got ${text}`)
  return number
}

function isFree (directory: string): boolean {
  try {
    return readdirSync(directory).length === 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
