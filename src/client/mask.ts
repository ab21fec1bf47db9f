/**
 * Replaces secrets in a text that a service influences, also where they are written as JSON or in a URL. Mask a text
 * before its control characters are escaped, and before it is shortened.
 */
export function maskSecrets (text: string, secrets: readonly string[]): string {
  const written = secrets.flatMap(writtenForms).filter(Boolean)
  written.sort((one, other) => other.length - one.length) // a secret may begin as another one
  for (const form of written) text = text.replaceAll(form, '…')
  return text
}

/** Returns a secret as it is, as a JSON string has it, and as URLs do; `a"b` is `a\"b` and `a%22b` there. */
function writtenForms (secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const wellFormed = Buffer.from(secret).toString()
  return [secret, json, encodeURI(wellFormed), encodeURIComponent(wellFormed)]
}
