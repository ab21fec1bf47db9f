export function attempt<T> (read: () => T): { value?: T, error?: NodeJS.ErrnoException } {
  try {
    return { value: read() }
  } catch (error) {
    return { error: error as NodeJS.ErrnoException }
  }
}
