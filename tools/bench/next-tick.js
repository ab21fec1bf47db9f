// Preloaded into a measured server: has V8 optimise process.nextTick before its first full collection, after which each tick could take
// several times as long for the life of the process.
let left = 200_000

const next = () => {
  if (--left > 0) process.nextTick(next)
}
process.nextTick(next)
