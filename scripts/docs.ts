/** Writes docs/reference/settings.md from the table of settings; with --check it only compares. */

import { exitCodes } from '../src/settings/flags.ts'
import { defaultText } from '../src/settings/help.ts'
import { flagOf, groups, rows, variablePrefix } from '../src/settings/settings.ts'
import { writeFiles } from './write.ts'

const headings: Readonly<Record<keyof typeof groups, string>> = {
  Serve: 'Serving', Data: 'Data', Clients: 'Clients', Mock: 'Mocking', Operate: 'Operating'
}

const intro = `# Settings

Every setting of the server, by purpose. \`npm run docs\` writes this page.

A setting is a flag, a variable, and an option of \`start()\`:

| Setting | As |
|---|---|
| \`--rate-limit-v1 100\` | a flag |
| \`${variablePrefix}RATE_LIMIT_V1=100\` | an environment variable; \`PORT\` and \`HOST\` are also read without the prefix |
| \`start({ rateLimitV1: 100 })\` | an option, except those marked *command only* |

Flags override variables, and variables override defaults. The command \`dev\` has other defaults. \`--simulate\` is short for \`--simulate on\`.

If a setting is invalid, the server doesn't start, and the message names the flag, variable or option. An unknown variable that begins with
\`${variablePrefix}\` is a warning.

## Exit codes

They are the same for every command:

| Code | Meaning |
|---|---|
| ${exitCodes.done} | done |
| ${exitCodes.failed} | failed: invalid data, a difference from the contract, a server that is not ready, connections that were cut at the end |
| ${exitCodes.unusable} | invalid arguments or settings, or nothing could be reached or written |`

function section ([group, heading]: [string, string]): string {
  const lines = rows.filter(([key]) => key in groups[group as keyof typeof groups]).map(([key, row]) =>
    `| \`--${flagOf(key)}\` | ${defaultText(row)} | ${row.help}${row.ofCommand ? '; *command only*' : ''} | ${row.expects} |`)
  return [`## ${heading}`, '', '| Flag | Default | Purpose | Value |', '|---|---|---|---|', ...lines].join('\n')
}

writeFiles(new Map([['docs/reference/settings.md', `${[intro, ...Object.entries(headings).map(section)].join('\n\n')}\n`]]), 'npm run docs')
