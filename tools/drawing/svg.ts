/** A point of the drawing in its own unit; y grows downwards. */
export type Point = readonly [x: number, y: number]

type Attributes = Record<string, string | number | undefined>

const written = (value: string | number) => typeof value === 'number' ? String(Math.round(value * 100) / 100) : value

/** Returns one SVG element; attributes that are undefined are left out, numbers keep two decimals. */
export function element (name: string, attributes: Attributes, content = ''): string {
  const list = Object.entries(attributes)
    .filter((pair): pair is [string, string | number] => pair[1] !== undefined)
    .map(([key, value]) => ` ${key}="${written(value)}"`)
    .join('')
  return content === '' ? `<${name}${list}/>` : `<${name}${list}>${content}</${name}>`
}

/** Returns path data from a template of commands with numbers and points in it. */
export function d (texts: TemplateStringsArray, ...values: ReadonlyArray<number | Point>): string {
  const value = (index: number) => [values[index] ?? ''].flat().map(written).join(' ')
  return texts.map((text, index) => text.replace(/\s+/g, ' ') + value(index)).join('')
}

/** Returns a filled path, with an optional outline. */
export const shape = (data: string, fill: string, more: Attributes = {}) => element('path', { d: data, fill, ...more })

/** Returns an open path drawn with a round-ended pen. */
export const stroke = (data: string, colour: string, width: number, more: Attributes = {}) =>
  element('path', {
    d: data, fill: 'none', stroke: colour, 'stroke-width': width, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', ...more
  })

/** Returns a straight line drawn with a round-ended pen. */
export const line = (from: Point, to: Point, colour: string, width: number, more: Attributes = {}) =>
  stroke(d`M${from}L${to}`, colour, width, more)

/** Returns a filled circle. */
export const disc = ([cx, cy]: Point, r: number, fill: string, more: Attributes = {}) =>
  element('circle', { cx, cy, r, fill, ...more })

/** Returns the outline of a circle, its pen centred on the radius. */
export const ring = (centre: Point, radius: number, colour: string, width: number, more: Attributes = {}) =>
  disc(centre, radius, 'none', { stroke: colour, 'stroke-width': width, ...more })

/** Returns the given elements as one group. */
export const group = (attributes: Attributes, ...content: string[]) => element('g', attributes, content.join(''))

/** Returns elements shifted by a distance. */
export const shifted = ([x, y]: Point, ...content: string[]) => group({ transform: `translate(${written(x)} ${written(y)})` }, ...content)
