import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

/** Reads a file of the project. */
export const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

/** Returns the files with some extensions in folders and below them. */
export function filesIn (folders: readonly string[], extensions: readonly string[]): string[] {
  const files = folders.flatMap(folder => {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file => `${folder}/${file}`)
  })
  return files.filter(file => extensions.includes(extname(file))).map(file => file.replaceAll('\\', '/'))
}

/** README.md and the pages of docs/. */
export const pages = ['README.md', ...filesIn(['docs'], ['.md'])]

export const documents = [
  ...pages, 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'VERSIONING.md', 'data/README.md'
]

/** Commands that no test can run, and why. */
export const notRun: readonly { command: RegExp, why: string }[] = [
  { command: /^apt-get install /, why: 'changes the machine; .ci/run installs what the tests need' },
  { command: /^certbot certonly /, why: 'needs a public host name; a test lets nginx serve a challenge' },
  { command: /^docker /, why: 'needs an engine; tests check compose.yaml and build the image' },
  {
    command: /\bsystemctl |^journalctl /,
    why: 'needs a running systemd; tests verify the unit, and restart servers one after the other'
  },
  { command: / --inspect-brk /, why: 'waits for a debugger' },
  { command: /^mkcert /, why: 'changes the certificates that the machine trusts' }
]

/** Languages of snippets that no test can run, and why. */
export const notRunLanguages: Readonly<Record<string, string>> = {
  dockerfile: 'needs a registry of images', kotlin: 'needs OkHttp and an app', swift: 'needs a compiler of Swift'
}

/** A part of a document: a command, a file that it writes, or a program. */
export type Part = { page: string, kind: 'command' | 'file' | 'program', text: string, language: string, path?: string }

/** A block of code, with the line before it. */
const block = /(?:^|(?<before>[^\n]*)\n\n)```(?<language>\w*)\n(?<code>[^]*?)```/gm

/** The ways to run the program, in a clone and in a project. */
const invocation = /^(?:npm start (?:--silent )?--|npx bicycle-catalogue)(?= |$)/

/** Returns the blocks of code of a document, in order; a block after a line such as "Write `PATH`:" is a file. */
export function partsOf (page: string): Part[] {
  return [...read(page).matchAll(block)].flatMap(({ groups = {} }): Part[] => {
    const { before = '', language = '', code = '' } = groups
    const [, path] = /\b[Ww]rite\b.*`([\w./-]+\.\w+)`[^`]*:$/.exec(before) ?? []
    if (path !== undefined) return [{ page, kind: 'file', text: code, language, path }]
    if (language !== 'sh') return [{ page, kind: 'program', text: code, language }]
    return code.replaceAll(/\\\n/g, '').split('\n')
      .map(line => line.replace(/(?:^| +)# .*/, '').replace(invocation, 'bicycle-catalogue'))
      .filter(line => line !== '')
      .map(text => ({ page, kind: 'command', text, language }))
  })
}

type Place =
  '.ci/run' | 'test/docs.test.ts' | 'test/deploy/documents.deploy.ts' | 'test/deploy/readme.deploy.ts' | 'nowhere'

/** A command of a document, in a project that has the package, and where it is run. */
export type Command = { page: string, line: string, place: Place }

const ci = read('.ci/run')

/** Pages whose commands need the tarball, root or Prometheus. */
const deployed = [
  'docs/getting-started.md', 'docs/guides/deploy.md', 'docs/guides/maintain.md', 'docs/guides/monitor.md'
]

function placeOf (page: string, line: string): Command['place'] {
  if (notRun.some(({ command }) => command.test(line))) return 'nowhere'
  if (/^(?:node|npm|npx) /.test(line) && ci.includes(line)) return '.ci/run'
  if (page === 'README.md') return 'test/deploy/readme.deploy.ts'
  const needsPackage = /\.tgz|quicktype|openapi-typescript/.test(line)
  return needsPackage || deployed.includes(page) ? 'test/deploy/documents.deploy.ts' : 'test/docs.test.ts'
}

/** The commands in the documents' shell blocks, in order. */
export const commands: readonly Command[] = documents.flatMap(partsOf).filter(({ kind }) => kind === 'command')
  .map(({ page, text }) => ({ page, line: text, place: placeOf(page, text) }))
