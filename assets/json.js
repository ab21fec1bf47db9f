const marked = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** What a string holds when it is an address that can be followed. */
const address = /^"(https?:\/\/[^\s"\\]+)"$/

/**
 * Takes a JSON text apart, in its order and without losing a character: names, strings, addresses (without their quotes),
 * words (numbers, true, false, null), and marks, which is all that stands between them. Used by pages on the server and by
 * the reference in the browser.
 */
export function * piecesOf (json) {
  let end = 0
  for (const { 0: found, 1: string, 2: colon, index } of json.matchAll(marked)) {
    if (index > end) yield { kind: 'mark', text: json.slice(end, index) }
    if (string === undefined) yield { kind: 'word', text: found }
    else if (colon === undefined) yield * piecesOfString(string)
    else yield * [{ kind: 'name', text: string }, { kind: 'mark', text: colon }]
    end = index + found.length
  }
  if (end < json.length) yield { kind: 'mark', text: json.slice(end) }
}

function piecesOfString (string) {
  const url = address.exec(string)?.[1]
  const quote = { kind: 'mark', text: '"' }
  return url === undefined ? [{ kind: 'string', text: string }] : [quote, { kind: 'address', text: url }, quote]
}
