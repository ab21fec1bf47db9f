import { field, partSize, picture, shadow } from './backdrop.ts'
import { type Colour, darker, lighter, surface } from './colour.ts'
import { linear } from './gradient.ts'
import { angle, counted } from './plane.ts'
import { colourOf } from './paint.ts'
import { number, says } from './read.ts'
import type { ChainRecord } from './records.ts'
import { d, disc, element, group, line, type Point, shape } from './svg.ts'

const link = 64

interface ChainLook { outer: Colour, inner: Colour, pin: Colour, flat: boolean, slots: boolean, waist: number }

function chainLook (record: ChainRecord): ChainLook {
  const [first = '', second] = record.colour.toLowerCase().split('/')
  const outer = says('nickel', first) ? '#cfc7b8' : colourOf(first, surface.steel)
  const inner = second ? colourOf(second, outer) : darker(outer, 0.18)
  return {
    outer: outer === '#23262c' ? '#3b3f46' : outer,
    inner,
    pin: says('super|hg901|m9100|hg701|m8100', record.model_name) ? '#e9d9a8' : lighter(outer, 0.35),
    flat: says('flattop', record.model_name),
    slots: says('sla|m9100|hg901|super record|red|ekar', record.model_name),
    waist: record.speed_compatibility === '1' ? 0.86 : says('sram|kmc', record.brand_name) ? 0.66 : 0.58
  }
}

/** Returns points a pitch apart along a curve that belongs to the record's number: a wave, a hook or a loop. */
function pins (id: number): Point[] {
  const bend = [0.9, 1.25, 0.7, 1.05][id % 4] ?? 1
  const way = (share: number): Point => [
    96 + share * 768 + Math.sin(share * Math.PI * 2 + (id % 3) * 0.5) * 46,
    318 + Math.sin(share * Math.PI * 2 * bend + (id % 5) * 0.55) * (150 + id % 3 * 16)
  ]
  const found: Point[] = [way(0)]
  for (let share = 0; share <= 1; share += 0.0004) {
    const [x, y] = found.at(-1) ?? [0, 0]
    const [nextX, nextY] = way(share)
    if (Math.hypot(nextX - x, nextY - y) >= link) found.push([nextX, nextY])
  }
  return found
}

function plate (from: Point, to: Point, colour: Colour, look: ChainLook, outer: boolean): string {
  const turn = -angle(from, to)
  const r = outer ? 25 : 26.5
  const waist = r * look.waist
  const top = look.flat
    ? d`L${link} ${-r}`
    : d`C${link * 0.3} ${-r} ${link * 0.3} ${-waist} ${link / 2} ${-waist}
    C${link * 0.7} ${-waist} ${link * 0.7} ${-r} ${link} ${-r}`
  const outline = d`M0 ${-r}` + top +
    d`A${r} ${r} 0 0 1 ${link} ${r}C${link * 0.7} ${r} ${link * 0.7} ${waist} ${link / 2} ${waist}C${link * 0.3} ${waist} ${link * 0.3} ${r} 0 ${r}
    A${r} ${r} 0 0 1 0 ${-r}Z`
  const fill = linear([0, -r], [0, r], [[0, lighter(colour, 0.3)], [0.45, colour], [1, darker(colour, 0.34)]])
  const slot = look.slots && outer ? line([link * 0.4, 0], [link * 0.6, 0], '#1d2025', 8) : ''
  return group({ transform: `translate(${from[0].toFixed(1)} ${from[1].toFixed(1)}) rotate(${turn.toFixed(2)})` },
    fill.markup, shape(outline, fill.url, { stroke: darker(colour, 0.5), 'stroke-width': 2 }),
    outer ? '' : disc([0, 0], 16, darker(colour, 0.3)) + disc([link, 0], 16, darker(colour, 0.3)), slot)
}

function links (record: ChainRecord, look: ChainLook): string {
  const points = pins(record.id)
  const each = (outer: boolean) => points.slice(1).map((to, index) => {
    const from = points[index]
    return from && (index % 2 === 0) === outer ? plate(from, to, outer ? look.outer : look.inner, look, outer) : ''
  }).join('')
  const pin = (point: Point) => disc(point, 10.5, darker(look.pin, 0.3)) + disc(point, 8.5, look.pin) +
    disc([point[0] - 2, point[1] - 2], 3.4, lighter(look.pin, 0.6))
  return group({}, each(false), each(true), ...points.map(pin))
}

function fromAbove (record: ChainRecord, look: ChainLook): string {
  const speed = number(record.speed_compatibility, 11)
  const half = (speed === 1 ? 38 : 44 - speed * 1.9)
  const one = (index: number) => {
    const [x, wide] = [120 + index * 60, index % 2 === 0]
    const gap = wide ? half : half - 9
    const bar = (y: number) => element('rect',
      {
        x: x - 8,
        y: y - 4.5,
        width: 76,
        height: 9,
        rx: 4.5,
        fill: wide ? look.outer : look.inner,
        stroke: darker(look.outer, 0.5),
        'stroke-width': 1.4
      })
    return bar(606 - gap) + bar(606 + gap)
  }
  const roller = (index: number) => element('rect',
    {
      x: 111 + index * 60,
      y: 606 - half + 9,
      width: 18,
      height: half * 2 - 18,
      rx: 4,
      fill: darker(look.inner, 0.2),
      stroke: darker(look.inner, 0.5),
      'stroke-width': 1.4
    })
  return group({}, ...counted(13).map(roller), ...counted(12).map(one))
}

function belt (): string {
  const tooth = (index: number) => shape(d`M${86 + index * 44} 300l7 34h18l7 -34Z`, '#2a2d33')
  const cord = (index: number) => line([84, 268 + index * 7], [874, 268 + index * 7], '#4a4e56', 1.6)
  return group({},
    group({ transform: 'rotate(-8 480 300)' }, shape('M78 258H882V304H78Z', '#1c1e23'), ...counted(6).map(cord),
      line([78, 258], [882, 258], '#6a7078', 3), ...counted(18).map(tooth)),
    shape('M120 560H840V648H120Z', '#1c1e23'), ...counted(16).map(index => shape(d`M${128 + index * 44} 564h22v80h-22Z`, '#33373e')),
    line([120, 604], [840, 604], '#15171b', 9), line([120, 561], [840, 561], '#565c64', 2))
}

/** Draws a chain from its record: links in a curve and, below, its width from above; a belt with its teeth. */
export function chain (record: ChainRecord): string {
  const look = chainLook(record)
  const drawn = record.links_count === 0 ? belt() : links(record, look) + fromAbove(record, look)
  return picture(partSize.width, partSize.height, look.outer, field([480, 330], 300, look.outer), shadow([480, 668], 380, 12, 0.3), drawn)
}
