import { readFileSync, writeFileSync } from 'node:fs'

// Inserts a first test into an example: its client does something wrong, it leaves a rule behind, and it fails. The others must pass.
const [, , file, url] = process.argv
const failing = `test('a test that fails', async () => {
  await fetch(\`\${${url}}/api/v1/bikes/?unknown=1\`)
  const rule = JSON.stringify({ path: '/api/*', code: 503 })
  await fetch(\`\${${url}}/__simulate\`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: rule })
  throw new Error('on purpose')
})

`
writeFileSync(file, readFileSync(file, 'utf8').replace(/^(?=test\()/m, () => failing))
