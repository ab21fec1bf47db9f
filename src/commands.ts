import type { CommandHelp } from './settings/help.ts'

type CommandEnvironment = Pick<NodeJS.Process, 'env' | 'stdout' | 'stderr'> & { signal: AbortSignal }

type CommandModule = {
  usage: string
  /** Returns the exit code. */
  run: (args: string[], environment: CommandEnvironment) => Promise<number>
}

/** A command and its module; `dev` serves and has none. */
export type CommandRow = CommandHelp & {
  load?: () => Promise<CommandModule>
  /** Stops at its `signal`; signals end other commands at once. */
  isStoppable?: true
}

export const commands: Readonly<{ dev: CommandRow, [name: string]: CommandRow }> = {
  dev: {
    usage: 'dev [SETTINGS]',
    help: 'serves the catalogue with defaults for app development: ' +
      '--simulate --watch --log-requests apps --rate-limit off'
  },
  init: {
    usage: 'init DIR',
    help: 'copies the data into a directory for editing',
    load: () => import('./command/init.ts')
  },
  check: {
    usage: 'check [DIR] [FLAGS]',
    help: 'checks a data directory without serving it',
    load: () => import('./command/check.ts')
  },
  verify: {
    usage: 'verify URL [FLAGS]',
    help: 'checks any server against the contract',
    isStoppable: true,
    load: () => import('./verify/command.ts')
  },
  pull: {
    usage: 'pull URL DIR [FLAGS]',
    help: 'downloads the lists of a real service into a data directory',
    isStoppable: true,
    load: () => import('./pull/command.ts')
  },
  diff: {
    usage: 'diff DIR URL|DIR [FLAGS]',
    help: 'lists the changes of a service since it was recorded, or between two recordings',
    isStoppable: true,
    load: () => import('./diff/command.ts')
  },
  generate: {
    usage: 'generate DIR [FLAGS]',
    help: 'writes data with any number of bikes',
    load: () => import('./command/generate.ts')
  },
  healthcheck: {
    usage: 'healthcheck [URL]',
    help: 'exits with 0 if the server at URL is ready, otherwise with 1',
    load: () => import('./command/healthcheck.ts')
  }
}
