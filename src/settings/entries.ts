import { idOf } from './issued.ts'
import type { Kind } from './kinds.ts'

/** What the entries of a list are, and what is wrong with one that is not so. */
export type Entries = { takes: string, faultOf: (entry: string) => string | undefined }

export const fixedTokens: Entries = {
  takes: 'tokens without spaces',
  faultOf: entry => /\s/.test(entry) ? 'has a space in it' : undefined
}

/** Takes also an id behind `bct_`: who revokes has the token at hand. */
export const tokenIds: Entries = {
  takes: 'ids, the 12 characters after bct_, or whole tokens',
  faultOf: entry => {
    if (idOf(entry) !== undefined) return undefined
    return entry.startsWith('bct_') ? 'is mistyped or cut off' : 'is neither an id nor an issued token'
  }
}

/** Reads entries between commas or line ends; at least one. */
export function list (entries: Entries): Kind<readonly string[]> {
  return {
    takes: `${entries.takes}, between commas`,
    asOption: `an array of ${entries.takes}`,
    read: text => {
      const read = entriesOf(text)
      return read.length > 0 && firstFault('entry', read, entries) === undefined ? read : undefined
    },
    fault: text => firstFault('entry', entriesOf(text), entries)
  }
}

/** Reads entries as a file has them: one a line or between commas, and comments on lines that begin with `#`. */
export function lines (entries: Entries, { canBeEmpty = false } = {}): Kind<readonly string[]> {
  const { takes, read } = list(entries)
  return {
    takes,
    read: text => {
      const rest = withoutComments(text).join('\n')
      return canBeEmpty && entriesOf(rest).length === 0 ? [] : read(rest)
    },
    fault: text => firstFault('line', withoutComments(text), entries) ?? 'it has no entry'
  }
}

const entriesOf = (text: string): string[] => text.split(/[,\n]/).map(entry => entry.trim()).filter(Boolean)

/** The lines of a text, of which those are empty that are comments. */
const withoutComments = (text: string): string[] => text.split('\n').map(line => line.trimStart().startsWith('#') ? '' : line)

/** What is wrong with the first wrong entry of some texts, and the number of its text. */
function firstFault (name: 'entry' | 'line', texts: string[], { faultOf }: Entries): string | undefined {
  const faults = texts.map(text => entriesOf(text).map(faultOf).find(fault => fault !== undefined))
  const index = faults.findIndex(fault => fault !== undefined)
  return index === -1 ? undefined : `${name} ${index + 1} ${faults[index]}`
}
