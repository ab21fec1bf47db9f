/** Processes items with limited concurrency. */
export async function atOnce<T> (count: number, items: Iterable<T>, task: (item: T) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await task(next.value)
  }
  await Promise.all(Array.from({ length: count }, worker))
}
