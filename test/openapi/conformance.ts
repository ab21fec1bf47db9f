import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { resources } from '../../src/lists/resources.ts'

type Reference = { $ref: string }
type Header = { required?: boolean, schema: { type: string } }
type Response = { headers?: Record<string, Header | Reference>, content?: Record<string, unknown> }
type Operation = { responses: Record<string, Response | Reference> }
type Document = {
  paths: Record<string, Record<string, Operation>>, components: Record<string, Record<string, unknown>>
}

/** An answer as a client sees it. */
export type Seen = {
  method: string, path: string, status: number, headers: Readonly<Record<string, unknown>>, body: string
}

const document = JSON.parse(readFileSync(new URL('../../schemas/openapi.json', import.meta.url), 'utf8')) as Document

for (const { path } of resources) {
  if (document.paths[path] === undefined) {
    throw new Error(`schemas/openapi.json does not describe ${path}; run: npm run openapi`)
  }
}

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, validateSchema: false }))
ajv.addSchema(document, 'openapi')

const escape = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** Gives the compiled schema at a place of the document. */
function validatorAt (...place: string[]): ValidateFunction {
  return ajv.getSchema(`openapi#/${place.map(escape).map(encodeURIComponent).join('/')}`) as ValidateFunction
}

/** Gives what a part is and where it stands, after its reference if it is one. */
function follow<T> (part: T | Reference, place: string[]): [part: T, place: string[]] {
  if (!(typeof part === 'object' && part !== null && '$ref' in part)) return [part as T, place]
  const [, ...target] = part.$ref.split('/') as [string, string, string, string]
  return [document.components[target[1]]?.[target[2]] as T, target]
}

/** Throws unless an answer is one that the document describes; addresses that it lacks are not its business. */
export function checkConformance (seen: Seen): void {
  const operations = document.paths[seen.path]
  if (operations === undefined) return
  const errors = errorsOf(seen, operations)
  if (errors.length > 0) {
    const title = `${seen.method} ${seen.path} ${seen.status} is not as schemas/openapi.json says:`
    throw new Error([title, ...errors, seen.body.slice(0, 500)].join('\n'))
  }
}

function errorsOf ({ method, path, status, headers, body }: Seen, operations: Record<string, Operation>): string[] {
  // Any method but the documented ones gets the errors of GET; HEAD gets its answers without a body.
  const name = method.toLowerCase() in operations ? method.toLowerCase() : 'get'
  const described = operations[name]?.responses[status]
  if (described === undefined || (name === 'get' && !['GET', 'HEAD'].includes(method) && status < 400)) {
    return ['no such status']
  }
  const [response, place] = follow<Response>(described, ['paths', path, name, 'responses', String(status)])
  return [
    ...headerErrors(response, place, headers),
    ...method === 'HEAD' ? [] : bodyErrors(response, place, headers, body)
  ]
}

function headerErrors ({ headers: described = {} }: Response, place: string[], headers: Seen['headers']): string[] {
  return Object.entries(described).flatMap(([name, part]) => {
    const value = headers[name.toLowerCase()]
    const [header, at] = follow<Header>(part, [...place, 'headers', name])
    if (value === undefined) return header.required === true ? [`no header ${name}`] : []
    const validate = validatorAt(...at, 'schema')
    const text = String(value)
    const isValid = validate(header.schema.type === 'integer' ? Number(text) : text)
    return isValid ? [] : [`header ${name}: ${text}: ${ajv.errorsText(validate.errors)}`]
  })
}

const page = 'text/html; charset=utf-8'

/** Returns what is wrong with a body; of pages for people, which the document leaves out, only that they are pages. */
function bodyErrors ({ content }: Response, place: string[], headers: Seen['headers'], body: string): string[] {
  if (content === undefined) return body === '' ? [] : ['a body where none belongs']
  const type = String(headers['content-type'])
  if (!(type in content || type === page)) return [`content type ${type}`]
  if (type === page) return body.startsWith('<!DOCTYPE html>') ? [] : ['a page that is none']
  const validate = validatorAt(...place, 'content', type, 'schema')
  if (validate(JSON.parse(body))) return []
  const errors = validate.errors ?? []
  return errors.slice(0, 5).map(({ instancePath, message }) => `body ${instancePath} ${message}`)
}

/** Gives the body of an answer as text; one to HEAD has none, whatever its coding. */
function textOf ({ headers: { 'content-encoding': coding }, rawPayload, body }: LightMyRequestResponse): string {
  if (coding === undefined || rawPayload.length === 0) return body
  return (coding === 'br' ? brotliDecompressSync : gunzipSync)(rawPayload).toString()
}

/** Checks every response that a test gets from an app. */
export function checkAnswers (app: FastifyInstance): void {
  const inject = app.inject.bind(app) as (request: InjectOptions) => Promise<LightMyRequestResponse>
  const checked = async (request: InjectOptions | string) => {
    const options = typeof request === 'string' ? { url: request } : request
    const answer = await inject(options)
    const { pathname } = new URL(String(options.url), 'http://localhost')
    const { statusCode: status, headers } = answer
    const isPage = status < 400 && String(headers['content-type']).startsWith('text/html')
    if (!isPage) {
      checkConformance({
        method: (options.method ?? 'GET').toUpperCase(),
        path: pathname,
        status,
        headers,
        body: textOf(answer)
      })
    }
    return answer
  }
  app.inject = checked as typeof app.inject
}
