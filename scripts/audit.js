import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

// Reads the report of `npm audit --json`, and prints the advisories on libraries that are in the package: on those of
// dist/sbom.json, in its versions. Exits with 1 if there are any.
const { components } = JSON.parse(readFileSync('dist/sbom.json', 'utf8'))
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const { vulnerabilities, message } = JSON.parse(await text(process.stdin))
if (vulnerabilities === undefined) throw new Error(`npm audit made no report: ${message}`)

const bundled = new Set(components.map(({ name, version }) => `${name}@${version}`))
for (const { name, nodes, severity, via } of Object.values(vulnerabilities)) {
  const isBundled = nodes.some(node => bundled.has(`${name}@${lock.packages[node]?.version}`))
  // A string names another package of the report, through which this one is affected.
  for (const advisory of isBundled ? via.filter(cause => typeof cause === 'object') : []) {
    console.log(`${name} (${severity}): ${advisory.title} ${advisory.url}`)
    process.exitCode = 1
  }
}
console.log(`${bundled.size} libraries audited`)
