import { dataDirectory } from '../../src/package.ts'
import { writeCatalogue } from './catalogue.ts'
import { readFlags } from './flags.ts'

// npm run generate: writes a data directory with any number of bikes, derived from data/.
try {
  const { out, ...wanted } = readFlags(process.argv.slice(2))
  await writeCatalogue(dataDirectory, out, wanted)
  process.stdout.write(`${wanted.bikes} bikes in ${out}; npm start -- --data ${out}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
