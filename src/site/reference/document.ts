import { html } from 'ghtml'

/** The parts of the OpenAPI document in the reference. */
export type Described = {
  info: { description: string }
  tags: { name: string, description: string }[]
  /** The operations of a path by method. */
  paths: Record<string, { get: Operation, post?: Operation, options?: Operation }>
  components: {
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
    responses: Record<string, ResponseObject>
    schemas: Record<string, Schema>
  }
}

export type Reference = { $ref: string }
type Marked = { description?: string, 'x-provisional'?: string }

type Nested = {
  items?: Schema, anyOf?: Schema[], oneOf?: Schema[], properties?: Record<string, Schema>, additionalProperties?: Schema | false
}
type Values = { type?: string | string[], format?: string, const?: string, enum?: string[], minimum?: number, maximum?: number }

export type Schema = Marked & Nested & Values & Partial<Reference>

export type Parameter = Marked & { name: string, in: 'query' | 'header', schema: Schema }
export type Header = Marked & { description: string, schema: Schema }
export type ResponseObject = {
  description: string
  headers: Record<string, Header | Reference>
  content?: { 'application/json': { schema: Schema, examples?: Record<string, { value: unknown }> } }
}

export type Operation = Record<'operationId' | 'summary' | 'description', string> & {
  tags: string[]
  security?: object[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { content: { 'application/x-www-form-urlencoded': { examples: { label: { value: Record<string, string> } } } } }
  responses: Record<string, ResponseObject | Reference>
}

/** Resolves a reference; returns any other part as it is. */
export function follow<P extends object> (part: P | Reference, components: Readonly<Record<string, P>>): P {
  return '$ref' in part && typeof part.$ref === 'string' ? components[nameIn(part.$ref)] as P : part as P
}

const nameIn = (reference: string) => reference.split('/').at(-1) as string

/** Describes a schema in a few words; names of schemas are links to their tables. */
export function typeOf (schema: Schema): string {
  const { $ref, items, anyOf, oneOf, enum: values, format, additionalProperties } = schema
  if ($ref !== undefined) return html`<a href="/docs/schemas/#${nameIn($ref)}">${nameIn($ref)}</a>`
  if (anyOf !== undefined || oneOf !== undefined) return [...anyOf ?? [], ...oneOf ?? []].map(typeOf).join(' or ')
  if (items !== undefined) return `array of ${typeOf(items)}`
  if (values !== undefined) return values.map(value => html`<code>${value}</code>`).join(' or ')
  if (schema.const !== undefined) return html`<code>${schema.const}</code>`
  if (additionalProperties) return `object of ${typeOf(additionalProperties)}`
  const types = [schema.type ?? 'anything'].flat().map(type => type === 'string' && format !== undefined ? format : type)
  return html`${types.join(' or ')}${bounds(schema)}`
}

function bounds ({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  return minimum === undefined ? '' : `, ${minimum} or more`
}

/** Converts a description to HTML, with code between backquotes. */
export function prose (text: string): string {
  return html`${text}`.replace(/`([^`]+)`/g, '<code>$1</code>').replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
}

/** Marks points that the specification leaves open. */
export const provisionalMark = '<a class="tag" href="/docs/#provisional">provisional</a>'

export const markOf = (part: Marked): string => part['x-provisional'] ? provisionalMark : ''

/** Returns the row of a parameter, header or field; both arguments are HTML. */
export function definition (name: string, part: Marked, text: string, muted: string): string {
  return html`<div><dt><code>${name}</code> !${markOf(part)}</dt>
<dd><p>!${text}</p>
<p class="muted small">!${muted}</p></dd></div>
`
}
