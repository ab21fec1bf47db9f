import type { FastifyReply, FastifyRequest } from 'fastify'
import { now } from '../base/timers.ts'
import { negotiateRequest } from '../http/negotiation.ts'
import { originForm, splitTarget, withoutBase } from '../http/target.ts'
import { accessOf } from '../lists/resources.ts'
import { adviseOnRequest, adviseOnResponse, isRedirected } from './advice.ts'
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
  request: FastifyRequest, reply: FastifyReply, path: string, { requestLog, waits }: Simulation
): LoggedRequest {
  const access = accessOf.get(path)
  if (access !== undefined) negotiateRequest(request)
  const isPage = request.negotiated?.format === 'api' && ['GET', 'HEAD'].includes(request.method)
  const entry = isPage ? requestLog.hidden(request) : requestLog.record(request)
  entry.access = access
  request.recorded = entry
  if (!isPage) {
    adviseOnRequest(request, path, entry)
    waits.judge(request, entry)
  }
  reply.raw.on('close', () => {
    if (entry.endedAt !== undefined) return // its connection was broken
    entry.isLeft = !reply.raw.writableEnded && entry.cut === undefined
    requestLog.end(entry)
  })
  return entry
}

/** Records the response to a request, and the request itself if it was refused before any hook could record it. */
export function recordResponse (request: FastifyRequest, reply: FastifyReply, control: Simulation): void {
  const { path = '' } = request.target
  if (request.recorded === undefined && !isRecorded(path, request)) return
  const entry = request.recorded ?? recordRequest(request, reply, path, control)
  entry.status = reply.statusCode
  adviseOnResponse(request, reply, entry, control.tokens)
  if (![429, 503].includes(reply.statusCode)) return
  const at = now()
  reply.raw.once('finish', () => control.waits.remember(request, reply, at))
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
  const [, method, sent] = /^([A-Z]+) ([^ \r\n]+)/.exec(head) ?? []
  if (method === undefined || sent === undefined || head.includes('\r\n\r\n')) return
  const url = withoutBase(originForm(sent), basePath)
  if (!isRecorded(splitTarget(url).path ?? url, { endpoint: undefined })) return
  const entry = requestLog.record({ method, url, headers: {} })
  entry.status = code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  entry.advise('syntax', `the request is not valid HTTP: ${reason}`)
  requestLog.end(entry)
}
