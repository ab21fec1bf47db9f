/** A colour as #rrggbb. */
export type Colour = `#${string}`

const channels = (colour: Colour) => [1, 3, 5].map(index => parseInt(colour.slice(index, index + 2), 16))

/** Returns a colour a share of the way from one to another. */
export function mix (from: Colour, to: Colour, share: number): Colour {
  const target = channels(to)
  const mixed = channels(from).map((value, index) => Math.round(value + ((target[index] ?? 0) - value) * share))
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

/** Returns a colour nearer to white. */
export const lighter = (colour: Colour, share: number) => mix(colour, '#ffffff', share)

/** Returns a colour nearer to a bluish black, as in shade. */
export const darker = (colour: Colour, share: number) => mix(colour, '#05070c', share)

/** Returns how light a colour looks, 0 to 1. */
export function lightness (colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = channels(colour)
  return (red * 0.3 + green * 0.59 + blue * 0.11) / 255
}

/** The metals and other surfaces that are the same on every picture. */
export const surface = {
  steel: '#c3c8cd',
  alloy: '#aab0b7',
  graphite: '#4a4f57',
  black: '#22252b',
  rubber: '#26282c',
  carbon: '#2b2e35',
  gum: '#c08a4f',
  gold: '#c79a3b'
} as const satisfies Record<string, Colour>
