import { html } from 'ghtml'

/** A value to choose and the words for it. */
export type Choice = readonly [value: string, text: string]

/** Gives a labelled list of choices with the current one chosen, which is added where it is none of them. */
export function select (name: string, label: string, choices: readonly Choice[], current: string): string {
  const all: readonly Choice[] = choices.some(([value]) => value === current) ? choices : [...choices, [current, current]]
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">!${all.map(([value, text]) => html`<option value="${value}"!${value === current ? ' selected' : ''}>${text}</option>
`)}</select></div>
`
}

/** Gives a labelled text field. */
export function textField (name: string, label: string, value: string, type = 'text'): string {
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}"></div>
`
}

/** Gives a field's name in plain words. */
export function words (field: string): string {
  const text = field.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
