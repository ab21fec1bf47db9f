type Attempt<T> = { value: T, error?: undefined } | { value?: undefined, error: NodeJS.ErrnoException }

export function attempt<T> (read: () => T): Attempt<T> {
  try {
    return { value: read() }
  } catch (error) {
    return { error: error as NodeJS.ErrnoException }
  }
}
