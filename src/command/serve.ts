import { X509Certificate } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { isatty } from 'node:tty'
import type { FastifyInstance } from 'fastify'
import { CatalogueErrors, errorCount, errorLines } from '../catalogue/errors/error.ts'
import { painter } from '../base/text.ts'
import { secureOf, type Command } from '../settings/read.ts'
import { version } from '../package.ts'
import { boot } from '../start.ts'
import { banner, tokensOf } from './banner.ts'
import { reachOf } from './listening.ts'
import { createLog, readableLine } from './log-lines.ts'
import { closeOnSignals, drainTimes, writeReadyFile } from './process.ts'

/** Serves until a signal, and prints the URLs, or the errors of the data. */
export async function serve (command: Command, process: NodeJS.Process, readAgain: () => Command): Promise<void> {
  const { stdout, stderr } = process
  const local = command.settings.tls ? await import('./certificate.ts') : undefined
  const certificate = await local?.localCertificate(process.env, command.settings.host)
  const settings = { ...command.settings, ...certificate?.settings }
  try {
    const { server, catalogue } = await boot(settings, {
      stream: createLog(stderr.isTTY ? { format: line => readableLine(line, painter(stderr.hasColors()), stderr.columns || 80) } : {}),
      prepare: (app, reload) => {
        closeOnSignals(app, process)
        for (const warning of command.warnings) app.logger.warn(warning)
        if (certificate !== undefined) addCa(app, certificate.ca)
        process.on('SIGHUP', () => {
          if (stdout.isTTY && !isatty(stdout.fd)) process.kill(process.pid, 'SIGTERM') // the terminal was closed
          else reload()
        })
      },
      readAgain: () => ({ ...readAgain().settings, ...certificate?.settings }),
      sources: command.sources,
      drainTimes
    })
    const { app, port, metricsUrl: metrics } = server
    const secure = secureOf(settings)
    const reach = reachOf(settings.host, port, networkInterfaces(), secure && new X509Certificate(secure.cert))
    const { note, token } = tokensOf(app.tokens, settings)
    const ready = { url: reach.url, port, metrics, pid: process.pid, version, data: resolve(settings.data), token, ca: certificate?.caFile }
    if (app.drain.isBegun) return // a signal arrived during the start
    try {
      if (settings.readyFile !== undefined) writeReadyFile(settings.readyFile, ready, process)
    } catch (error) {
      await server.close()
      throw error
    }
    if (process.connected) process.send?.({ event: 'listening', ...ready }, undefined, {}, () => {})
    if (stdout.isTTY) {
      const paint = painter(stdout.hasColors())
      stdout.write(`${banner({ ready, reach, catalogue, settings, note }, paint, stdout.columns)}\n`)
      if (local && certificate) stdout.write(await local.trustText(reach, certificate.caFile, paint, stdout.columns))
    } else stdout.write(`${JSON.stringify({ event: 'listening', ...ready, note })}\n`)
  } catch (error) {
    if (!(error instanceof CatalogueErrors)) throw error
    stderr.write(`${errorLines(error.errors, stderr).join('\n')}\n${errorCount(error.errors)} in the data; the server was not started\n`)
    process.exitCode = 1
  }
}

/** Lets phones download the CA. */
function addCa (app: FastifyInstance, ca: string): void {
  app.route({ method: ['GET', 'HEAD'], url: '/ca.crt', handler: (_, reply) => reply.type('application/x-x509-ca-cert').send(ca) })
}
