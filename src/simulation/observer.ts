import type { FastifyReply, FastifyRequest } from 'fastify'
import { now } from '../base/timers.ts'
import { negotiateRequest } from '../http/negotiation.ts'
import { originForm, splitTarget, withoutBase } from '../http/target.ts'
import { accessOf } from '../lists/resources.ts'
import { isRedirected } from './advice.ts'
import type { Simulation } from './control.ts'
import { namesList } from './path-advice.ts'
import type { LoggedRequest } from './request-log.ts'

/**
 * Returns whether a request is recorded: for its path, or because it has no endpoint and the name of a list in its
 * path.
 */
export function isRecorded (path: string, request: Pick<FastifyRequest, 'endpoint'>): boolean {
  if (path.startsWith('/api/') || path.startsWith('/media/') || isRedirected(path)) return true
  return request.endpoint === undefined && namesList(path)
}

/** Records a request, unless it opens the browsable page of a list; returns its entry. */
export function recordRequest (
  request: FastifyRequest, reply: FastifyReply, path: string, { requestLog, adviser }: Simulation
): LoggedRequest {
  if (accessOf.has(path)) negotiateRequest(request)
  const isPage = request.negotiated?.format === 'api' && ['GET', 'HEAD'].includes(request.method)
  const entry = isPage ? requestLog.hidden(request) : requestLog.record(request)
  request.recorded = entry
  if (!isPage) entry.advice.push(...adviser.adviseOnRequest(request, path))
  reply.raw.once('finish', () => {
    adviser.rememberWait(request, reply, entry.respondedAt)
    requestLog.end(entry)
  })
  reply.raw.on('close', () => {
    if (entry.endedAt !== undefined) return
    entry.isLeft = entry.cut === undefined
    requestLog.end(entry)
  })
  return entry
}

/** Records the response to a request, and the request itself if it was refused before any hook could record it. */
export function recordResponse (
  request: FastifyRequest, reply: FastifyReply, control: Simulation
): LoggedRequest | undefined {
  const { path = '' } = request.target
  if (request.recorded === null && isRecorded(path, request)) recordRequest(request, reply, path, control)
  const { recorded } = request
  if (recorded === null) return undefined
  recorded.status = reply.statusCode
  recorded.respondedAt = now()
  recorded.advice.push(...control.adviser.adviseOnResponse(request, reply))
  return recorded
}

/** An error of Node's HTTP parser, with the bytes that it could not parse. */
type ParserError = Error & { code: string, reason: string, rawPacket?: Buffer, bytesParsed?: number }

/**
 * Records a request whose first line or headers Node cannot parse; a bad body follows a request that was recorded
 * already.
 */
export function recordUnparsable (error: Error, basePath: string, { requestLog }: Simulation): void {
  const { code, reason, rawPacket, bytesParsed } = error as ParserError
  const head = rawPacket?.toString('latin1', 0, bytesParsed) ?? ''
  const [, method, sent] = /^([A-Z]+) ([^ \r\n]+)(?!.*\r\n\r\n)/s.exec(head) ?? []
  if (method === undefined || sent === undefined) return
  const url = withoutBase(originForm(sent), basePath)
  if (!isRecorded(splitTarget(url).path ?? url, { endpoint: undefined })) return
  const entry = requestLog.record({ method, url, headers: {} })
  entry.status = code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  entry.advice.push({ id: 'syntax', text: `the request is not valid HTTP: ${reason}` })
  requestLog.end(entry)
}
