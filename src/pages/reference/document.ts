import { html } from 'ghtml'

/** The parts of the OpenAPI document that the reference reads. */
export type Described = {
  info: { description: string }
  tags: { name: string, description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
    responses: Record<string, Answer>
    schemas: Record<string, Schema>
  }
}

export type Reference = { $ref: string }
type Marked = { description?: string, 'x-provisional'?: true }

export type Schema = Marked & {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  default?: string | number
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | false
}

export type Parameter = Marked & { name: string, in: 'query' | 'header', schema: Schema }
export type Header = Marked & { description: string, schema: Schema, required?: true }
export type Answer = Marked & {
  description: string
  headers: Record<string, Header | Reference>
  content?: { 'application/json': { schema: Schema, examples?: Record<string, { value: unknown }> } }
}

export type Form = { schema: Schema, examples: Record<string, { value: Record<string, string> }> }

export type Operation = Marked & {
  operationId: string
  summary: string
  description: string
  tags: [string]
  security?: object[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { content: { 'application/x-www-form-urlencoded': Form } }
  responses: Record<string, Answer | Reference>
}

/** Tells whether a document has the form that issues tokens. */
export function hasTokenForm ({ paths }: Described): boolean {
  return '/tokens/' in paths
}

/** What a reference leads to, or the part itself where it is none. */
export function follow<P extends object> (part: P | Reference, components: Readonly<Record<string, P>>): P {
  return '$ref' in part && typeof part.$ref === 'string' ? components[nameIn(part.$ref)] as P : part as P
}

/** The name at the end of a reference. */
export function nameIn (reference: string): string {
  return reference.split('/').at(-1) as string
}

/** What a schema takes, in a few words; names of schemas are links to their tables. */
export function typeOf (schema: Schema): string {
  const { $ref, items, anyOf, oneOf, enum: values, format, additionalProperties } = schema
  if ($ref !== undefined) return html`<a href="/docs/schemas/#${nameIn($ref)}">${nameIn($ref)}</a>`
  if (anyOf !== undefined || oneOf !== undefined) return [...anyOf ?? [], ...oneOf ?? []].map(typeOf).join(' or ')
  if (items !== undefined) return `array of ${typeOf(items)}`
  if (values !== undefined) return html`!${values.map(value => html`<code>${value}</code>`).join(' or ')}`
  if (schema.const !== undefined) return html`<code>${schema.const}</code>`
  if (additionalProperties) return `object of ${typeOf(additionalProperties)}`
  const types = [schema.type ?? 'anything'].flat().map(type => type === 'string' && format !== undefined ? format : type)
  return html`${types.join(' or ')}${bounds(schema)}`
}

function bounds ({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  return minimum === undefined ? '' : `, ${minimum} or more`
}

/** A text of the document as HTML: what stands between backquotes is code, links are links. */
export function prose (text: string): string {
  return html`${text}`
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
}

/** Marks what the specification leaves open. */
export const provisionalMark = '<a class="tag" href="/docs/#provisional">provisional</a>'

/** The same mark where a part of the document has it. */
export function markOf (part: { 'x-provisional'?: true }): string {
  return part['x-provisional'] ? provisionalMark : ''
}
