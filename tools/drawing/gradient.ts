import { element, type Point } from './svg.ts'

/** A gradient ready for use: its markup stands beside the shape that is filled with its address. */
export interface Gradient { markup: string, url: string }

type Stop = readonly [offset: number, colour: string, opacity?: number]

function named (text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return `g${(hash >>> 0).toString(36)}`
}

function gradient (kind: string, place: Record<string, number>, stops: readonly Stop[]): Gradient {
  const content = stops
    .map(([offset, colour, opacity]) => element('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity }))
    .join('')
  const id = named(element(kind, place, content))
  return {
    markup: element(kind, { id, gradientUnits: 'userSpaceOnUse', ...place }, content),
    url: `url(#${id})`
  }
}

/** Returns a gradient along the line between two points; equal gradients share one name. */
export const linear = ([x1, y1]: Point, [x2, y2]: Point, stops: readonly Stop[]): Gradient =>
  gradient('linearGradient', { x1, y1, x2, y2 }, stops)
