/** Gives a function that makes something of an object once, and keeps it as long as that object. */
export function keptFor<Source extends object, Made extends object> (make: (source: Source) => Made): (source: Source) => Made {
  const kept = new WeakMap<Source, Made>()
  return source => {
    const made = kept.get(source) ?? make(source)
    kept.set(source, made)
    return made
  }
}
