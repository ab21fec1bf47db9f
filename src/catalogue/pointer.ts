/** Gives the JSON Pointer (RFC 6901) of a property or item below another pointer. */
export function below (pointer: string, part: string | number): string {
  return `${pointer}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Splits a JSON Pointer into its unescaped parts. */
export function parts (pointer: string): string[] {
  return pointer.split('/').slice(1).map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Writes a JSON Pointer as one writes it in JavaScript: `bikes[12].year`. */
export function label (pointer: string): string {
  return parts(pointer).map(labelPart).join('')
}

function labelPart (part: string, index: number): string {
  if (/^\d+$/.test(part)) return `[${part}]`
  if (!/^[\w$]+$/.test(part)) return `[${JSON.stringify(part)}]`
  return index === 0 ? part : `.${part}`
}
