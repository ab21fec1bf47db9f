import { command } from '../process.ts'

/** The arguments of a measured server: its defaults, with a rate limit that is never reached. */
export const ours = [command, '--port', '0', '--rate-limit-v1', '1000000']
