import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { errors, type ApiError } from './errors.ts'

/** Returns a name for the owner of a token; undefined for an invalid one. */
type Verify = (token: string) => string | undefined

/** Returns the name of the owner of a request's token, or a 401; reads the header as DRF's TokenAuthentication does. */
export function authenticate (request: FastifyRequest, { verify }: { verify: Verify }): string | ApiError {
  const { authorization = '' } = request.headers
  const words = authorization.split(/[ \t\v\f]+/).filter(word => word !== '')
  const [keyword = '', credentials, ...rest] = words
  if (keyword.toLowerCase() !== 'token') return errors.notAuthenticated()
  if (credentials === undefined) return errors.noCredentials()
  if (rest.length > 0) return errors.spacesInToken()
  const bytes = Buffer.from(credentials, 'latin1') // as Node reads headers
  if (!isUtf8(bytes)) return errors.invalidCharacters()
  return verify(bytes.toString()) ?? errors.invalidToken()
}
