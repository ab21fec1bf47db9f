/** The parts of the OpenAPI document that its pages read. */
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
