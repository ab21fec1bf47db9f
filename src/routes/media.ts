import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { dataDirectory } from '../package.ts'
import type { Settings } from '../settings/settings.ts'

const picture = /\.(?:jpe?g|webp|avif|png)$/

/** Serves the pictures of the data directory below /media/, and the package's own for a directory that lacks them. */
export async function mediaRoutes (app: FastifyInstance, { settings }: { settings: Settings }) {
  const folders = new Set([settings.data, dataDirectory].map(directory => resolve(join(directory, 'media'))))
  await app.register(staticFiles, {
    root: [...folders].filter(folder => existsSync(folder)),
    prefix: '/media/',
    allowedPath: path => picture.test(path),
    dotfiles: 'ignore',
    index: false,
    decorateReply: false,
    maxAge: '7d'
  })
}
