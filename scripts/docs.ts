/** Writes docs/settings.md from the table of settings; with --check it only compares. */

import { exitCodes } from '../src/settings/flags.ts'
import { defaultText } from '../src/settings/help.ts'
import { flagOf, groups, rows, variablePrefix } from '../src/settings/settings.ts'
import { writeFiles } from './write.ts'

const headings: Readonly<Record<keyof typeof groups, string>> = {
  Serve: 'Serving', Data: 'Data', Clients: 'Clients', Mock: 'Mocking', Operate: 'Operating'
}

const intro = `# Settings

Every setting of the server, grouped by purpose. \`npm run docs\` writes this page.

A setting is a flag, a variable, and an option of \`start()\`:

| Setting | As |
|---|---|
| \`--rate-limit-v1 100\` | a flag |
| \`${variablePrefix}RATE_LIMIT_V1=100\` | an environment variable; \`PORT\` and \`HOST\` are also read without the prefix |
| \`start({ rateLimitV1: 100 })\` | an option, except those marked *command only* |

Flags win over variables, variables over defaults; the command \`dev\` has other defaults. \`--simulate\` is short for \`--simulate on\`.
An invalid setting ends the start with a message that names the flag, variable or option. A variable that begins with
\`${variablePrefix}\` and names no setting is a warning.

## Exit codes

The same for every command:

| Code | |
|---|---|
| ${exitCodes.done} | done |
| ${exitCodes.failed} | the data, the service or the work failed: invalid data, a difference from the contract, a server that is not ready, connections cut at the end |
| ${exitCodes.unusable} | invalid arguments or settings, or nothing could be reached or written |`

function section ([group, heading]: [string, string]): string {
  const lines = rows.filter(([key]) => key in groups[group as keyof typeof groups]).map(([key, row]) =>
    `| \`--${flagOf(key)}\` | ${defaultText(row)} | ${row.help}${row.ofCommand ? '; *command only*' : ''} | ${row.expects} |`)
  return [`## ${heading}`, '', '| Flag | Default | | Value |', '|---|---|---|---|', ...lines].join('\n')
}

writeFiles(new Map([['docs/settings.md', `${[intro, ...Object.entries(headings).map(section)].join('\n\n')}\n`]]), 'npm run docs')
