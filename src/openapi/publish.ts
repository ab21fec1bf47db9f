import Fastify from 'fastify'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { openApiDocument } from './openapi.ts'

/**
 * Gives the function of @fastify/swagger that has the OpenAPI document as an object and as YAML.
 *
 * The plugin gets the document whole, from the tables that the routes are made from: a list has one route for all methods
 * and sends bytes, so that it has no schemas which the plugin could read or Fastify would compile. It runs in an app of
 * its own that serves nothing, because it and its YAML are worth loading only for someone who asks.
 */
export async function publishOpenApi (catalogue: Catalogue) {
  const { default: swagger } = await import('@fastify/swagger')
  const app = Fastify()
  await app.register(swagger, { openapi: { openapi: '3.1.0' }, transformObject: () => openApiDocument(catalogue) })
  await app.ready()
  return app.swagger
}
