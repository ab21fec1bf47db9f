import { execSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Runs the build before npm start, unless dist/ was built from the same files. This is JavaScript, because loading TypeScript takes longer.
const inputs = ['src', 'schemas', 'scripts', 'assets', 'data', 'package.json', 'package-lock.json', 'tsconfig.json', 'CHANGELOG.md', 'VERSIONING.md']
const file = 'dist/inputs.sha256'

const filesIn = path => statSync(path).isFile()
  ? [path]
  : readdirSync(path).filter(name => name !== 'media').sort().flatMap(name => filesIn(join(path, name))) // images are in no bundle

const hash = createHash('sha256')
for (const path of inputs.flatMap(filesIn)) hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
const digest = hash.digest('hex')

if (!existsSync(file) || readFileSync(file, 'utf8') !== digest) {
  execSync('npm run build --silent', { stdio: 'inherit' })
  writeFileSync(file, digest)
}
