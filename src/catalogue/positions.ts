import { attempt } from '../attempt.ts'
import { parts, type Fault } from './fault.ts'
import { NotJson, nowhere, scan, type Wanted } from './scan.ts'
import { faultAt, type Source } from './source.ts'

/** A place in a text as editors count it: both from 1, columns in UTF-16 code units. */
type Position = { readonly line: number, readonly column: number }

/** Returns a function from offsets of a text to positions; lines end in LF, CRLF or CR. */
export function lineColumn (text: string): (offset: number) => Position {
  const starts = [0]
  for (const lineEnd of text.matchAll(/\r\n?|\n/g)) starts.push(lineEnd.index + lineEnd[0].length)

  return offset => {
    let [line, after] = [0, starts.length]
    while (after - line > 1) {
      const middle = (line + after) >> 1
      if (offset < Number(starts[middle])) after = middle
      else line = middle
    }
    return { line: line + 1, column: offset - Number(starts[line]) + 1 }
  }
}

function want (root: Wanted, pointer: string): Wanted {
  let wanted = root
  for (const part of parts(pointer)) {
    const child = wanted.parts.get(part) ?? nowhere()
    wanted.parts.set(part, child)
    wanted = child
  }
  return wanted
}

/** Returns faults of a source with their lines and columns, in the same order; the records of a program have none. */
export function locate ({ file, text }: Source, faults: readonly Fault[]): readonly Fault[] {
  if (file === '') return faults.map(fault => ({ ...fault, line: null, column: null }))
  if (text === '' || faults.every(({ line }) => line !== null)) return faults
  const root = nowhere()
  const wanted = faults.map(({ pointer }) => want(root, pointer))
  scan(text, { root })
  const position = lineColumn(text)
  return faults.map((fault, index) => {
    const { name, value } = wanted[index] as Wanted
    return fault.line === null ? { ...fault, ...position(fault.rule === 'additionalProperties' ? name : value) } : fault
  })
}

/** Returns the faults of a source in the order of its text. */
export function faultsOf (source: Source): readonly Fault[] {
  return locate(source, source.faults).toSorted((a, b) => Number(a.line) - Number(b.line) || Number(a.column) - Number(b.column))
}

/**
 * Returns the syntax error of a JSON text, or what JSON.parse accepts but is an error; `findsChanges` adds the values that JavaScript
 * changes.
 */
export function findFlaws (source: Source, findsChanges = false): { error?: NotJson, flaws: Fault[] } {
  const { text } = source
  const [flaws, changes]: [Fault[], Fault[]] = [[], []]
  let position: ReturnType<typeof lineColumn> | undefined
  const faultOf = (offset: number, pointer: string, rule: string, must: string): Fault => {
    position ??= lineColumn(text)
    return { ...faultAt({ source, pointer }, rule, must), ...position(offset) }
  }
  const noteIn = (list: Fault[]) => (...note: Parameters<typeof faultOf>) => { list.push(faultOf(...note)) }
  const { error } = attempt(() => scan(text, { flaw: noteIn(flaws), ...findsChanges && { change: noteIn(changes) } }))
  if (!(error instanceof NotJson)) return { flaws: [...flaws, ...changes] }
  const { offset, expected } = error
  return { error, flaws: [faultOf(offset, '', 'syntax', `expected ${expected}, got ${lexeme(text, offset)}`)] }
}

function lexeme (text: string, offset: number): string {
  if (offset === text.length) return 'the end of the file'
  if (/[\n\r]/.test(text.charAt(offset))) return 'the end of the line'
  const [found] = /^(?:"[^"\n\r]{0,40}"?|[\w.+-]{1,40})/.exec(text.slice(offset, offset + 50)) ?? []
  return found ?? JSON.stringify(String.fromCodePoint(Number(text.codePointAt(offset)))).slice(1, -1)
}
