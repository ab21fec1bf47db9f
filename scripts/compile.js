import { renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// Runs the command in the folder of a build until its parent leaves, and writes down what V8 has compiled then: the code cache of src/command/code.ts.
const [folder] = process.argv.splice(2, 1)
setFlagsFromString('--no-flush-bytecode')
const { cacheUrl, script } = await import(pathToFileURL(join(resolve(folder), 'code.js')))
process.once('disconnect', () => {
  // V8 takes no cache that was made with other flags than those that a start begins with.
  for (const flag of ['--flush-bytecode', '--parallel-scavenge', '--incremental-marking']) setFlagsFromString(flag)
  writeFileSync(`${fileURLToPath(cacheUrl)}.part`, script.createCachedData())
  renameSync(`${fileURLToPath(cacheUrl)}.part`, cacheUrl) // V8 does not see what is wrong within a cache
  process.exit()
})
await import(pathToFileURL(join(resolve(folder), 'cli.js')))
