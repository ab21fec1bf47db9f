import { METHODS } from 'node:http'

/** Every method that Node can parse, but CONNECT, which is not a request for a resource. */
export const knownMethods = METHODS.filter(method => method !== 'CONNECT')

/** The methods that a list answers. */
export const allowedMethods = 'GET, HEAD, OPTIONS'
