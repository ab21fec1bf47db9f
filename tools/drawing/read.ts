/** Returns every number that a text holds, in their order. */
export const numbers = (text: string) => (text.match(/\d+(\.\d+)?/g) ?? []).map(Number)

/** Returns the first number of a text such as "45mm", or a number of choice. */
export const number = (text: string, otherwise: number) => numbers(text)[0] ?? otherwise

/** Returns the teeth of each chainring of a text such as "50/34T", largest first; none where it names none. */
export const teeth = (text: string) => numbers(text).filter(count => count >= 20 && count <= 60).sort((a, b) => b - a).slice(0, 2)

/** Tells whether any of the texts has one of the words of a pattern such as "hub|wheel motor". */
export const says = (pattern: string, ...texts: string[]) => new RegExp(`(?<![a-z])(${pattern})`, 'i').test(texts.join(' '))

const letters: Record<string, number> = { xs: 48, s: 51, m: 54, ml: 55, l: 57, xl: 60, xxl: 62 }

/** Reads a frame size as the seat tube of a classic frame in centimetres: "M", "56 cm", "L/XL"; 55 where it says nothing. */
export function frameSize (text: string): number {
  const centimetres = numbers(text).find(value => value >= 44 && value <= 64)
  const letter = text.toLowerCase().match(/\b(xs|s|m|ml|l|xl|xxl)\b/)?.[1] ?? ''
  return centimetres ?? letters[letter] ?? 55
}
