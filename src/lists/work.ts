import { takeTurn } from '../http/turns.ts'

/** How many records are looked at, or texts sorted, before requests have a turn: it takes up to 11 ms. */
export const atOnce = 5_000

/** What takes long to make; it stops where requests may have a turn. */
export type Work<Made> = Generator<void, Made>

/** Does work in turns with requests. */
export async function inTurns (work: Work<unknown>): Promise<void> {
  while (!work.next().done) await takeTurn()
}
