import { pino, type Logger } from 'pino'

declare module 'fastify' {
  interface FastifyInstance {
    /** What the server writes down. Fastify's own logger is off: it makes and checks one for each request, used or not. */
    journal: Logger
  }
}

/** Where the entries of a journal go, a JSON text each. */
export type JournalStream = { write: (line: string) => void }

/** Makes a journal that keeps entries from a level on. */
export function createJournal (level: string, stream: JournalStream): Logger {
  return pino({ level }, stream)
}
