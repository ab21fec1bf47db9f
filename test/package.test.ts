import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { test } from 'tap'
import { commandIn, dataOf } from '../src/package.ts'
import { env } from './built.ts'
import { folder as outside } from './deploy/machines.ts'

const npm = { npm_config_user_agent: 'npm/11.0.0 node/v20' }
const script = { ...npm, npm_lifecycle_event: 'start' }

test('commands are printed as the user called the program', async t => {
  const program = () => ({ dist: { 'cli.js': '' }, src: { 'cli.ts': '' } })
  const bin = { 'bicycle-catalogue': t.fixture('symlink', '../node_modules/bicycle-catalogue/dist/cli.js') }
  const root = t.testdir({
    clone: program(),
    project: { node_modules: { 'bicycle-catalogue': program() } },
    global: { node_modules: { 'bicycle-catalogue': program() }, bin },
    npx: { 'package.json': '{"_npx":{"packages":["./a b.tgz"]}}', node_modules: { 'bicycle-catalogue': program() } }
  })
  const paths = {
    clone: 'clone',
    project: 'project/node_modules/bicycle-catalogue',
    global: 'global/node_modules/bicycle-catalogue',
    npx: 'npx/node_modules/bicycle-catalogue'
  }
  const userAgent = (agent: string) => ({ ...script, npm_config_user_agent: agent })
  type Installed = keyof typeof paths
  const cases: [called: string, Installed, directory: string, env: NodeJS.ProcessEnv, command: string][] = [
    ["npx --yes './a b.tgz'", 'npx', 'project', { ...npm, npm_lifecycle_event: 'npx' }, "npx --yes './a b.tgz'"],
    ['npx bicycle-catalogue', 'project', 'project', { ...npm, npm_lifecycle_event: 'npx' }, 'npx bicycle-catalogue'],
    ['a script of package.json', 'project', 'project', script, 'npx bicycle-catalogue'],
    ['pnpm bicycle-catalogue', 'project', 'project', userAgent('pnpm/12.21.0 npm/?'), 'pnpm bicycle-catalogue'],
    ['yarn bicycle-catalogue', 'project', 'project', userAgent('yarn/4.18.1 npm/?'), 'yarn bicycle-catalogue'],
    ['bunx bicycle-catalogue', 'project', 'project', userAgent('bun/1.4.5'), 'bunx bicycle-catalogue'],
    ['npm start --', 'clone', 'clone', script, 'npm start --'],
    ['node dist/cli.js', 'clone', 'clone', {}, 'node dist/cli.js'],
    ['node ../clone/dist/cli.js', 'clone', 'project', {}, 'node ../clone/dist/cli.js'],
    ['./node_modules/.bin/bicycle-catalogue', 'project', 'project', {}, 'npx bicycle-catalogue'],
    ['a global installation', 'global', 'project', { PATH: `/bin:${join(root, 'global/bin')}` }, 'bicycle-catalogue']
  ]
  for (const [called, installed, directory, env, command] of cases) {
    const folder = join(root, paths[installed])
    t.equal(commandIn(join(root, directory), env, join(folder, 'dist/cli.js'), folder), command, called)
  }
  t.equal(commandIn(join(root, 'clone'), {}, '', join(root, 'clone')), 'npm start --', 'start() in a clone')
  t.equal(commandIn('/', {}), 'npx bicycle-catalogue', 'start() elsewhere')
})

test('a bundle, which has no data, says that the package must be external', async t => {
  const { outputFiles: [bundle] } = await build({
    entryPoints: ['src/index.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    outfile: 'bundle.mjs',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" }
  })
  const folder = outside(t)
  const file = join(folder, 'bundle.mjs')
  writeFileSync(file, bundle?.contents ?? '')
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', env })
  const message = 'bicycle-catalogue cannot find its data. A bundler must leave the package out: ' +
    'mark it as external (esbuild: --external:bicycle-catalogue)'
  t.match({ status, stderr }, { status: 1, stderr: `Error: ${message}` })
  t.throws(() => dataOf(pathToFileURL(file).href), { message })
})
