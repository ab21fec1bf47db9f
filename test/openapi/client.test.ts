import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import openapiTypeScript, { astToString } from 'openapi-typescript'
import { test } from 'tap'
import { start } from '../../src/start.ts'
import { typescript } from '../run-script.ts'
import '../limit.ts'

const run = promisify(execFile)

type Output = { stdout: string, stderr: string }

test('a client that openapi-typescript makes of the document compiles, and reads every list', async t => {
  const folder = `.tap/client-${process.pid}` // below the project, where openapi-fetch is found
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(folder, { recursive: true })
  const types = await openapiTypeScript(readFileSync('schemas/openapi.json', 'utf8'), {
    alphabetize: false, exportType: true
  })
  writeFileSync(`${folder}/types.ts`, astToString(types))
  const configuration = {
    extends: '../../tsconfig.json', compilerOptions: { rootDir: '.', incremental: false }, include: ['.']
  }
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(configuration))
  copyFileSync('test/openapi/client.ts.txt', `${folder}/client.ts`)

  const { url, close } = await start({ tokens: ['sekret'], logLevel: 'silent' })
  t.teardown(close)
  const env = { PATH: process.env['PATH'] } // without tap's coverage
  const failures = await Promise.all([
    run(process.execPath, ['node_modules/typescript/bin/tsc', '--project', folder], { env }),
    run(process.execPath, [...typescript, `${folder}/client.ts`, url], { env })
  ].map(program => program.then(() => '', ({ stdout, stderr }: Output) => stdout + stderr)))
  t.strictSame(failures, ['', ''])
})
