import { html } from 'ghtml'
import { nameIn, type Schema } from '../../openapi/described.ts'

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
