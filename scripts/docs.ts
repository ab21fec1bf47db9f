/** Writes the pages of docs/reference/ that follow from the sources; with --check it only compares. */

import { readFileSync } from 'node:fs'
import { commands } from '../src/commands.ts'
import { resources } from '../src/lists/resources.ts'
import { command } from '../src/package.ts'
import { exitCodes } from '../src/settings/flags.ts'
import { defaultText } from '../src/settings/help.ts'
import {
  development, flagOf, groups, programDefaults, settingRows, type Settings, variablePrefix
} from '../src/settings/settings.ts'
import { examples } from '../src/simulation/examples.ts'
import { faults } from '../src/simulation/faults.ts'
import { optionTypes } from './options.ts'
import { httpApiPage } from './http-api.ts'
import { table, writeFiles } from './write.ts'

const headings: Readonly<Record<keyof typeof groups, string>> = {
  Serve: 'Serving', Data: 'Data', Clients: 'Clients', Mock: 'Mocking', Operate: 'Operating'
}

const cliIntro = `# Command line

\`npm run docs\` writes this page.

\`bicycle-catalogue [SETTINGS]\` serves the catalogue until Ctrl+C or SIGTERM. The [settings](settings.md) are flags
and variables.

${table(['Command', 'What it does'], [
  ...Object.values(commands).map(({ usage, help }) => [`\`${usage.replace(/ .*/, '')}\``, withCode(help)])
])}

\`bicycle-catalogue COMMAND --help\` prints the help of a command, \`--help all\` every setting, and \`--version\` the
version.

## Exit codes

They are the same for every command:

${table(['Code', 'Meaning'], [
  [String(exitCodes.done), 'success'],
  [
    String(exitCodes.failed),
    'the check failed: the data is invalid, the service differs from the contract, or the server isn\'t ready. ' +
    'Also: a server stopped while responses were in progress'
  ],
  [
    String(exitCodes.unusable),
    'the command couldn\'t run: an invalid argument or setting, a missing path, an unreachable service, ' +
    'or a directory or output that can\'t be written'
  ]
])}`

/** Marks commands and flags in a sentence as code; a command with its arguments is one piece, as are adjacent flags. */
function withCode (sentence: string): string {
  const command = /bicycle-catalogue(?: check\b| --[a-z][\w-]*| [A-Z]{2,}\b)+/
  const flags = /(?<![\w-])--[a-z][\w-]*(?: (?:--[a-z][\w-]*|off|apps))*/
  return sentence.replace(new RegExp(`${command.source}|${flags.source}`, 'g'), '`$&`')
}

/** Returns the help of a command as Markdown: paragraphs, and its flags as a table. */
function manual (usage: string): string {
  return usage.trim().replaceAll(command, 'bicycle-catalogue').split('\n\n').map(part => {
    if (!part.startsWith(' ')) return withCode(part.replaceAll('\n', ' '))
    if (!part.trim().startsWith('--')) return `\`\`\`\n${part.trim()}\n\`\`\``
    return table(['Flag', 'Meaning'], [...part.matchAll(/^ +(--.+?) {2,}(.*(?:\n {4,}.*)*)/gm)]
      .map(([, flag = '', text = '']) => [`\`${flag}\``, text.replace(/\s+/g, ' ')]))
  }).join('\n\n')
}

const manuals = await Promise.all(Object.entries(commands).map(async ([name, { usage, help, load }]) => {
  const sentence = `${help.replace(/^./, letter => letter.toUpperCase())}`
  const about = `${withCode(sentence)}. Flags and variables override these values.`
  const text = load === undefined ? about : manual((await load()).usage)
  return `## ${name}\n\n\`bicycle-catalogue ${usage}\`\n\n${text}`
}))

const settingsIntro = `# Settings

Every setting of the server, by purpose. \`npm run docs\` writes this page.

A setting is a flag, a variable, and an option of \`start()\`:

| Setting | As |
|---|---|
| \`--page-size 20\` | a flag |
| \`${variablePrefix}PAGE_SIZE=20\` | an environment variable; \`PORT\` and \`HOST\` need no prefix |
| \`start({ pageSize: 20 })\` | an option, with the [types](#defaults-and-types) of JavaScript |

Flags override variables, variables override the values of \`dev\`, and these override defaults. \`--simulate\` is short
for \`--simulate on\`.

If a setting is invalid, the server doesn't start, and the message names the flag, variable or option. An unknown
variable that begins with \`${variablePrefix}\` causes a warning.`

function section ([group, heading]: [string, string]): string {
  const settings = settingRows.filter(([key]) => key in groups[group as keyof typeof groups])
  const rows = settings.map(([key, row]) => {
    return [`\`--${flagOf(key)}\``, row.help.replace(/--[\w-]+/g, '`$&`'), row.expects]
  })
  return `## ${heading}\n\n${table(['Flag', 'Purpose', 'Value'], rows)}`
}

const types = optionTypes()

const shown = (value: unknown) => value === true ? 'on' : value === false ? 'off' : String(value)

const defaults = `## Defaults and types

The table lists the options of \`start()\`, and the defaults of the command, of \`dev\` and of \`start()\`. A setting
without a type has no option. In a terminal, \`logRequests\` is on.

${table(['Option', 'Type', 'Command', '`dev`', '`start()`'], settingRows.map(([key, row]) => {
  const [dev, program]: Partial<Settings>[] = [development, programDefaults]
  const [type, common] = [types.get(key), defaultText(row)]
  const programDefault = shown(program?.[key] ?? common)
  const option = type === undefined ? '-' : programDefault.replace(/^on$/, 'true').replace(/^off$/, 'false')
  const typeText = type === undefined ? '-' : `\`${type.replaceAll('"', "'")}\``
  return [`\`${key}\``, typeText, common, shown(dev?.[key] ?? common), option]
}))}`

const settingsSections = [settingsIntro, ...Object.entries(headings).map(section), defaults]

/** The page of the simulation, with the tables of examples and faults. */
const simulationPage = [
  table(['Example', 'Records'], Object.entries(examples).map(([name, { records }]) => [`\`${name}\``, records])),
  table(['Fault', 'Effect'], Object.entries(faults).map(([name, { effect }]) => [`\`${name}\``, effect]))
].reduce((page, rows) => {
  const [head = ''] = rows.split('\n')
  const start = page.indexOf(head)
  return page.slice(0, start) + rows + page.slice(page.indexOf('\n\n', start))
}, readFileSync('docs/reference/simulation.md', 'utf8'))

/** README.md with the lists of version 1, in lines of at most 120 characters. */
function readmeText (): string {
  const paths = resources.filter(({ access }) => access === 'public').map(({ path }) => `\`${path}\``)
  const text = `${paths.join(', ')}. Version 2.1 of the bikes, \`/api/v2/bikes/\`, needs a token.`
  const lines = text.replaceAll(/(.{1,120})(?: |$)/g, '$1\n')
  const lists = /(?<=^## Lists\n\n)[^]*?needs a token\.\n/m
  return readFileSync('README.md', 'utf8').replace(lists, lines)
}

writeFiles(new Map([
  ['README.md', readmeText()],
  ['docs/reference/simulation.md', simulationPage],
  ['docs/reference/http-api.md', httpApiPage()],
  ['docs/reference/cli.md', `${[cliIntro, ...manuals].join('\n\n')}\n`],
  ['docs/reference/settings.md', `${settingsSections.join('\n\n')}\n`]
]), 'npm run docs')
