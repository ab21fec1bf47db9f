import { pino, type Logger } from 'pino'

/** Where the entries of a journal go, a JSON text each. */
export type JournalStream = { write: (line: string) => void }

/** Makes a journal that keeps entries from a level on. */
export function createJournal (level: string, stream: JournalStream): Logger {
  return pino({ level }, stream)
}
