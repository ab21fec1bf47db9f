import { dataDirectory } from '../package.ts'
import { limitWindow } from './limits.ts'
import {
  type Kind, baseUrl, fromFile, gatewayUrl, headerLines, host, listener, loggedRequests, lowerWord, milliseconds, oneOf,
  onOff, overlay, pem, proxies, redisUrl, rules, share, text, tokenLines, tokenList, wholeNumber, word
} from './kinds.ts'

/** One setting: its flag and variable follow from its key. */
export type Setting = Kind<unknown> & {
  help: string
  /** The default as a string; a setting without one may be undefined. */
  default?: string
  /** Replaces the default in the help, because it depends on the machine. */
  displayDefault?: string
  /** Shown on the first screen of the help. */
  isCommon?: true
  /** Also read from the variable without the prefix, as container platforms set it. */
  hasBareVariable?: true
  /** Affects only the command's process, so `start()` has no such option. */
  ofCommand?: true
}

export const groups = {
  Serve: {
    port: {
      default: '3000', isCommon: true, hasBareVariable: true, ...wholeNumber(0, 65535),
      help: 'port to listen on; 0 picks a free one'
    },
    host: {
      default: 'localhost', isCommon: true, hasBareVariable: true, ...host,
      help: 'where to listen: localhost is 127.0.0.1 and ::1; ' +
        '0.0.0.0 or :: accepts connections from phones and other machines'
    },
    publicUrl: {
      ...baseUrl,
      help: 'base URL of links, instead of the request\'s scheme and host; everything is also served below its path'
    },
    trustProxy: {
      default: 'off', ...proxies,
      help: 'proxies whose X-Forwarded-* headers are trusted; ' +
        'with on or a number, make sure that only proxies can connect'
    },
    tlsCert: { ...fromFile(pem('a certificate', 'CERTIFICATE')), help: 'certificate for HTTPS; needs --tls-key' },
    tlsKey: { ...fromFile(pem('a private key', 'PRIVATE KEY')), help: 'private key of --tls-cert' },
    compress: { default: 'off', ...onOff, help: 'compress responses with br or gzip for clients that accept it' }
  },
  Data: {
    data: {
      default: dataDirectory, displayDefault: 'built in', isCommon: true, ...text('a directory'),
      help: 'directory of the catalogue\'s JSON files'
    },
    overlay: {
      isCommon: true, ...overlay,
      help: 'directory with files of the same names; each record is merged into the record with the same id, or added'
    },
    fitnessName: {
      default: 'fitness', ...lowerWord,
      help: 'replaces fitness in field names such as fitness_gear_id; a recording keeps its own names'
    },
    watch: {
      default: 'off', isCommon: true, ...onOff,
      help: 'reload data when a file changes; clients must revalidate every response'
    }
  },
  Clients: {
    paginate: {
      displayDefault: 'on-request', isCommon: true, ...oneOf(['on-request', 'always']),
      help: 'when lists are pages (count, next, previous, results) instead of arrays'
    },
    pageSize: { displayDefault: '10', ...wholeNumber(1, 100), help: 'records on a page without page_size' },
    rateLimit: { default: 'on', isCommon: true, ...onOff, help: `limit requests per ${limitWindow.name}` },
    rateLimitV1: {
      default: '60', ...wholeNumber(1, 1_000_000),
      help: `requests per ${limitWindow.name} and client address, over all v1 lists; needs --rate-limit`
    },
    rateLimitV2: {
      default: '600', ...wholeNumber(1, 1_000_000),
      help: `requests per ${limitWindow.name} and token; needs --rate-limit`
    },
    cors: {
      default: 'open', ...oneOf(['open', 'credentials']),
      help: 'open: every origin without credentials; credentials: clients may also send credentials (withCredentials)'
    },
    redisUrl: { secret: true, ...redisUrl, help: 'Redis server that shares rate limits between several servers' },
    tokens: { isCommon: true, ...tokenList, help: 'fixed tokens for v2' },
    tokensFile: {
      ...fromFile(tokenLines),
      help: 'file of fixed tokens, one per line or separated by commas; lines that begin with # are comments'
    },
    tokenForm: { default: 'on', ...onOff, help: 'issue tokens to everyone at /tokens/' },
    tokenSecret: {
      secret: true, ...word('a secret without spaces'),
      help: 'secret that signs issued tokens; without it, issued tokens are invalid after a restart'
    },
    tokenSecretFile: { ...fromFile(word('a secret without spaces')), help: 'file of the token secret' }
  },
  Mock: {
    simulate: {
      default: 'off', isCommon: true, ...onOff,
      help: 'let clients request errors, delays, odd data and broken connections'
    },
    rules: {
      ...rules,
      help: 'file of rules that apply from startup; with --watch, it is reloaded when it changes; needs --simulate'
    },
    delay: { isCommon: true, ...milliseconds, help: 'delay of every list; needs --simulate' },
    failureRate: {
      default: '0', isCommon: true, ...share,
      help: 'share of list requests that fail with 503 or a connection reset; needs --simulate'
    },
    seed: { default: '1', ...wholeNumber(0, 2 ** 32 - 1), help: 'the same seed makes the same requests fail' },
    upstream: {
      ...gatewayUrl,
      help: 'base URL of the real service, which answers every request that is not simulated; needs --simulate'
    },
    upstreamHeader: {
      ...headerLines,
      help: 'header that is sent only to the real service, such as the key of a gateway; repeatable; needs --upstream'
    },
    upstreamTimeout: {
      default: '30000', ...wholeNumber(1, 60_000),
      help: 'milliseconds to wait for data from the real service before the response is 504'
    }
  },
  Operate: {
    logRequests: {
      default: 'off', isCommon: true, ...loggedRequests,
      help: 'log every request, or those of apps: without pages, their files and thumbnails; on in a terminal'
    },
    logLevel: {
      default: 'info', ...oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
      help: 'lowest level that is logged to stderr'
    },
    logFormat: {
      displayDefault: 'json', ofCommand: true, ...oneOf(['json', 'text']),
      help: 'format of the log and of the message when the server is ready: ' +
        'JSON lines, or text for people; text in a terminal'
    },
    metricsPort: {
      ...listener,
      help: 'where to serve /metrics for Prometheus; a port alone listens on 127.0.0.1, 0 picks a free one'
    },
    exitWithParent: {
      default: 'off', ofCommand: true, ...onOff,
      help: 'shut down when the parent process exits or closes the server\'s standard input'
    }
  }
} satisfies Record<string, Record<string, Setting>>

export const settingsTable = { ...groups.Serve, ...groups.Data, ...groups.Clients, ...groups.Mock, ...groups.Operate }

type SettingValue<Row extends Setting> =
  | Exclude<ReturnType<Row['read']>, undefined>
  | (Row extends { default: string } ? never : undefined)

export type Settings = { [Key in keyof typeof settingsTable]: SettingValue<(typeof settingsTable)[Key]> }

export const settingRows = Object.entries(settingsTable) as [keyof Settings, Setting][]

type OfCommand<Key extends keyof Settings> = (typeof settingsTable)[Key] extends { ofCommand: true } ? Key : never
type Given<Key extends keyof Settings> = (typeof settingsTable)[Key] extends { isPath: true }
  ? string | Extract<Settings[Key], readonly object[]>
  : Settings[Key]

/** The options of a program: by key and type, files by path; missing ones have their defaults. */
export type Options = { [Key in keyof Settings as Key extends OfCommand<Key> ? never : Key]?: Given<Key> | undefined }

/** The defaults of a program that differ from those of the command. */
export const programDefaults = {
  host: '127.0.0.1',
  port: 0,
  rateLimit: false,
  logLevel: 'error'
} as const satisfies Partial<Settings>

/** Returns a flag without its dashes. */
export function flagOf (key: string): string {
  return key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

/** The tokens of `dev`: a stable one, so that a restart does not log an app out. Only a loopback address accepts it. */
export const developmentTokens: readonly string[] = ['dev']

/** The settings of `dev`. */
export const development: Partial<Settings> = {
  simulate: true,
  watch: true,
  logRequests: 'apps',
  logFormat: 'text',
  rateLimit: false,
  tokens: developmentTokens
}

export const variablePrefix = 'BICYCLE_CATALOGUE_'

/** The variables of a setting; the first that is set counts. */
export function variablesOf (key: string, { hasBareVariable }: Partial<Setting> = {}): string[] {
  const name = flagOf(key).replaceAll('-', '_').toUpperCase()
  const variable = variablePrefix + name
  return hasBareVariable ? [variable, name] : [variable]
}

/** The settings of a command without flags and variables, outside a terminal. */
export const defaultSettings = Object.fromEntries(settingRows.map(([key, row]) => {
  const value = row.default === undefined ? undefined : row.read(row.default)
  return [key, value]
})) as Settings
