import { dataDirectory } from '../package.ts'
import { fixedTokens, lines, list, tokenIds } from './entries.ts'
import {
  type Kind, duration, fileOf, host, listener, milliseconds, oneOf, onOff, origin, pem, proxies, redisUrl, share, text, wholeNumber,
  word
} from './kinds.ts'

/** One setting: where it can be given, what it takes, and what counts when it is given nowhere. */
export type Row = Kind<unknown> & {
  flag: string
  variable: string
  /** As one would type it; a setting without a default may be undefined. */
  default?: string
  /** Takes the place of the default when the command runs in a terminal. */
  inTerminal?: string
  /** Stands for the default in the help, where the default itself depends on the machine. */
  shown?: string
  help: string
  /** Is about the command's own process, so that a program that starts a server in its own cannot give it. */
  ofCommand?: true
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Every setting of the command: a flag beats its variable, a variable beats the default. */
export const settingsTable = {
  port: { flag: 'port', variable: 'PORT', default: '3000', help: 'where to listen; 0 takes any free port', ...wholeNumber(0, 65535) },
  host: {
    flag: 'host', variable: 'HOST', default: '127.0.0.1', ...host,
    help: 'where to listen; 0.0.0.0 or :: lets phones and other machines in'
  },
  data: {
    flag: 'data', variable: 'DATA_DIR', default: dataDirectory, shown: 'its own', ...text('a directory'),
    help: 'where the JSON files of the catalogue are'
  },
  overlay: {
    flag: 'overlay', variable: 'OVERLAY', ...text('a directory'),
    help: 'where files of the same names are, whose records replace those with the same id or join the rest'
  },
  watch: {
    flag: 'watch', variable: 'WATCH', default: 'off', ...onOff,
    help: 'whether changed data are served at once, and no answer is kept by a client without asking'
  },
  publicUrl: {
    flag: 'public-url', variable: 'PUBLIC_URL', ...origin,
    help: 'what links in answers begin with, in place of the request\'s own host'
  },
  paginate: {
    flag: 'paginate', variable: 'PAGINATE', default: 'on-request', ...oneOf(['on-request', 'always']),
    help: 'when a list comes as pages (count, next, previous, results) in place of a plain array'
  },
  compress: {
    flag: 'compress', variable: 'COMPRESS', default: 'off', ...onOff,
    help: 'whether answers are compressed, as br or gzip, for those who accept it'
  },
  trustProxy: {
    flag: 'trust-proxy', variable: 'TRUST_PROXY', default: 'off', ...proxies,
    help: 'whose X-Forwarded-* headers are believed; ' +
      'on and a number of hops believe whoever connects, so let nobody but the proxies connect'
  },
  rateLimit: {
    flag: 'rate-limit', variable: 'RATE_LIMIT', default: 'on', ...onOff,
    help: 'whether clients are limited to so many requests a minute'
  },
  rateLimitV1: {
    flag: 'rate-limit-v1', variable: 'RATE_LIMIT_V1', default: '60', ...wholeNumber(1, 1_000_000),
    help: 'requests a minute of one address, all v1 lists together'
  },
  rateLimitV2: {
    flag: 'rate-limit-v2', variable: 'RATE_LIMIT_V2', default: '600', ...wholeNumber(1, 1_000_000),
    help: 'requests a minute of one token'
  },
  redisUrl: {
    flag: 'redis-url', variable: 'REDIS_URL', secret: true, ...redisUrl,
    help: 'the Redis through which several servers share one allowance'
  },
  tlsCert: {
    flag: 'tls-cert', variable: 'TLS_CERT', ...fileOf(pem('a certificate', 'CERTIFICATE')),
    help: 'the certificate that HTTPS is served with, beside tls-key'
  },
  tlsKey: {
    flag: 'tls-key', variable: 'TLS_KEY', ...fileOf(pem('a private key', 'PRIVATE KEY')),
    help: 'the key of tls-cert'
  },
  tokens: { flag: 'tokens', variable: 'TOKENS', help: 'fixed tokens for v2', secret: true, ...list(fixedTokens) },
  tokensFile: {
    flag: 'tokens-file', variable: 'TOKENS_FILE', ...fileOf(lines(fixedTokens)),
    help: 'the same from a file, one a line or between commas; a line that begins with # is a comment'
  },
  tokenForm: {
    flag: 'token-form', variable: 'TOKEN_FORM', default: 'on', ...onOff,
    help: 'whether /tokens/ issues tokens to whoever asks'
  },
  tokenSecret: {
    flag: 'token-secret', variable: 'TOKEN_SECRET', secret: true, ...word('a secret without spaces'),
    help: 'the secret that issued tokens are signed with; without one they end with the process'
  },
  tokenSecretFile: {
    flag: 'token-secret-file', variable: 'TOKEN_SECRET_FILE', ...fileOf(word('a secret without spaces')),
    help: 'the same from a file'
  },
  tokenLifetime: { flag: 'token-lifetime', variable: 'TOKEN_LIFETIME', help: 'how long an issued token is good', ...duration },
  revokedTokens: {
    flag: 'revoked-tokens', variable: 'REVOKED_TOKENS', secret: true, ...list(tokenIds),
    help: 'issued tokens that are no longer good'
  },
  revokedTokensFile: {
    flag: 'revoked-tokens-file', variable: 'REVOKED_TOKENS_FILE', ...fileOf(lines(tokenIds, { canBeEmpty: true })),
    help: 'the same from a file, which may be empty and has comments likewise'
  },
  simulate: {
    flag: 'simulate', variable: 'SIMULATE', default: 'off', ...onOff,
    help: 'whether clients may ask for errors, delays, examples and faults'
  },
  delay: { flag: 'delay', variable: 'DELAY', help: 'with simulate, how much later every list is answered', ...milliseconds },
  failureRate: {
    flag: 'failure-rate', variable: 'FAILURE_RATE', default: '0', ...share,
    help: 'with simulate, the share of answers of lists that fail: 503, or a connection that is reset'
  },
  seed: {
    flag: 'seed', variable: 'SEED', default: '1', ...wholeNumber(0, 2 ** 32 - 1),
    help: 'with simulate, which answers fail: the same ones for the same number'
  },
  logLevel: {
    flag: 'log-level', variable: 'LOG_LEVEL', default: 'info', ...oneOf(logLevels),
    help: 'what is logged, as JSON lines on stderr'
  },
  logRequests: {
    flag: 'log-requests', variable: 'LOG_REQUESTS', default: 'off', inTerminal: 'on', ...onOff,
    help: 'whether each answer is logged'
  },
  metricsPort: {
    flag: 'metrics-port', variable: 'METRICS_PORT', ...listener,
    help: 'where /metrics is served for Prometheus; a port alone is for this machine only, 0 takes any free port'
  },
  readyFile: {
    flag: 'ready-file', variable: 'READY_FILE', ofCommand: true, ...text('a path'),
    help: 'a file that says where the server is, written once it answers and removed at the end'
  },
  exitWithParent: {
    flag: 'exit-with-parent', variable: 'EXIT_WITH_PARENT', default: 'off', ofCommand: true, ...onOff,
    help: 'whether to end when the process that started it is gone, or closes its standard input'
  }
} satisfies Record<string, Row>

type Value<R extends Row> = Exclude<ReturnType<R['read']>, undefined> | (R extends { default: string } ? never : undefined)

/** What the command was told, one value for each row of {@link settingsTable}. */
export type Settings = { [Key in keyof typeof settingsTable]: Value<(typeof settingsTable)[Key]> }

type OfCommand<Key extends keyof Settings> = (typeof settingsTable)[Key] extends { ofCommand: true } ? Key : never
type Given<Key extends keyof Settings> = (typeof settingsTable)[Key] extends { isPath: true } ? string : Settings[Key]

/** The settings that a program gives: by key and type, where a file by its path; what is not given has its default. */
export type Options = { [Key in keyof Settings as Key extends OfCommand<Key> ? never : Key]?: Given<Key> | undefined }

export function settingsFrom (value: (row: Row, key: string) => unknown): Settings {
  return Object.fromEntries(Object.entries<Row>(settingsTable).map(([key, row]) => [key, value(row, key)])) as Settings
}

/** The default of a setting, or undefined when it has none. */
export function defaultOf (row: Row, isTerminal: boolean): unknown {
  const text = (isTerminal ? row.inTerminal : undefined) ?? row.default
  return text === undefined ? undefined : row.read(text)
}

/** The settings of a command that was given none, outside a terminal. */
export const defaultSettings: Settings = settingsFrom(row => defaultOf(row, false))
