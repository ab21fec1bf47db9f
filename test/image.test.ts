import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { parse } from 'yaml'
import { start } from '../tools/process.ts'
import { built } from './built.ts'
import { folder } from './deploy/machines.ts'
import './limit.ts'

const dockerfile = readFileSync('Dockerfile', 'utf8')
const sent = readFileSync('.dockerignore', 'utf8').trim().split('\n').slice(1).map(line => line.slice(1))

/** Returns the paths on the same server that a page links to or loads, without their fragments. */
function linksIn (body: string): string[] {
  return [...body.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, path = '']) => path.replaceAll('&amp;', '&'))
}

test('the image serves everything that the home page and the documents link to', async t => {
  // As the Dockerfile does: the package is made of the files that .dockerignore admits.
  const context = folder(t)
  for (const name of sent) cpSync(name, join(context, name), { recursive: true })
  cpSync(built(), join(context, 'dist'), { recursive: true })
  const [pack = ''] = /npm pack.*/.exec(dockerfile) ?? []
  const packed = spawnSync('sh', ['-euc', pack], { cwd: context, encoding: 'utf8' })
  t.equal(packed.status, 0, packed.stderr)

  const flags = ['--port', '0', '--simulate', '--rate-limit', 'off', '--tokens', 'ci']
  const server = await start([join(context, 'package/dist/cli.js'), ...flags])
  t.teardown(() => server.stop())
  const headers = { accept: 'text/html, */*', authorization: 'Token ci' }
  const statuses = new Map<string, number>()
  const paths = ['/']
  for (const path of paths) {
    const response = await fetch(server.url + path, { headers })
    statuses.set(path, response.status)
    const body = await response.text()
    if (path !== '/' && !path.startsWith('/docs/')) continue
    if (!response.headers.get('content-type')?.includes('html')) continue
    for (const link of linksIn(body)) if (!paths.includes(link)) paths.push(link)
  }
  t.ok(statuses.has('/openapi.json') && statuses.has('/openapi.yaml'), 'the home page links to the OpenAPI document')
  t.ok([...statuses.keys()].some(path => path.endsWith('.png')), 'the documents have pictures')
  t.same([...statuses].filter(([, status]) => status !== 200), [])
})

test('the build of the image gets all that the package contains', async t => {
  const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] }
  const roots = files.map(file => file.split('/', 1)[0] ?? '').filter(root => root !== 'dist')
  t.same([...new Set(roots)].filter(root => !sent.includes(root)), [])
})

test('the image is built for AMD64 and ARM64, and only files differ from its base', async t => {
  type Step = { uses?: string, with?: { platforms?: string } }
  type Workflow = { jobs: { image: { steps: Step[] } } }
  const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as Workflow
  const push = jobs.image.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'))
  t.equal(push?.with?.platforms, 'linux/amd64,linux/arm64')
  const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  t.notMatch(image, /^RUN /m, 'nothing runs on the platform of the image, so that no emulator is needed')
})
