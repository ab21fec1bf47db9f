import { type Colour, lightness, mix } from './colour.ts'

/** How a frame is painted: its main colour, a second one, and how much it shines (0 to 1). */
export interface Paint { base: Colour, accent: Colour, gloss: number }

const hues: Record<string, Colour> = {
  black: '#23262c',
  white: '#f1f1ee',
  grey: '#7d838b',
  silver: '#bfc4ca',
  red: '#cf1f2b',
  orange: '#e8641b',
  yellow: '#f0c419',
  gold: '#c29535',
  green: '#2f8a4e',
  teal: '#12808a',
  blue: '#2464b4',
  navy: '#1d2f57',
  purple: '#5e3a86',
  pink: '#ec7fa9',
  brown: '#70492f',
  sand: '#cdb48c',
  cream: '#eadfc3',
  tan: '#b98b57',
  gum: '#b98b57'
}

const tints: Record<string, readonly [Colour, number]> = {
  dark: ['#0b0d11', 0.4],
  deep: ['#0b1226', 0.28],
  night: ['#101726', 0.4],
  light: ['#ffffff', 0.3],
  neon: ['#ff2a2f', 0.6],
  carbon: ['#2a2d33', 0.35],
  smoke: ['#5d6771', 0.4],
  stealth: ['#16181c', 0.6],
  graphite: ['#44484f', 0.65],
  anthracite: ['#373c43', 0.75],
  gunmetal: ['#3f464f', 0.7],
  stone: ['#a39d92', 0.6],
  pigeon: ['#8f9fae', 0.75],
  plutonio: ['#6b6a70', 0.7],
  olive: ['#6f6c2c', 0.75],
  sage: ['#9fb196', 0.85],
  sea: ['#8fc7b5', 0.8],
  sky: ['#76c3ee', 0.85],
  azure: ['#1e8fdc', 0.7],
  lake: ['#12607f', 0.6],
  chrysocolla: ['#12908f', 0.75],
  cherry: ['#a80f2a', 0.7],
  carmine: ['#a3142b', 0.6],
  candy: ['#dd1440', 0.5],
  embers: ['#d2421c', 0.6],
  berserker: ['#78c928', 0.85],
  cream: ['#eadbb4', 0.75],
  metallic: ['#565c66', 0.3]
}

const raw: Colour = '#a4a9ad'
const dull = ['matt', 'matte', 'satin', 'raw', 'stealth']

function mixed (words: readonly string[]): Colour | undefined {
  const hue = words.findLast(word => word in hues)
  const tinted = words.flatMap(word => word !== hue && tints[word] !== undefined ? [tints[word]] : [])
  const start = hue === undefined ? tinted[0]?.[0] : hues[hue]
  return start && tinted.reduce((colour, [tint, share]) => mix(colour, tint, share), start)
}

function answering (base: Colour): Colour {
  return lightness(base) > 0.45 ? mix(base, '#14161a', 0.72) : mix(base, '#eef0f2', 0.62)
}

/** Reads the colours of a text such as "sky blue and pink"; a text that names none is a raw frame. */
export function paintOf (text: string): Paint {
  const parts = text.toLowerCase().split(/\band\b|\bon\b|[/,&+]/).map(part => part.split(/[^a-z]+/))
  const colours = parts.flatMap(words => mixed(words) ?? [])
  const base = colours[0] ?? raw
  const second = colours[1] ?? answering(base)
  const accent = second === base ? mix(base, '#8b9098', 0.3) : second
  return { base, accent, gloss: parts.flat().some(word => dull.includes(word)) ? 0.45 : 1 }
}

/** Returns the one colour that a text names, or a colour of choice where it names none. */
export function colourOf (text: string, otherwise: Colour): Colour {
  return mixed(text.toLowerCase().split(/[^a-z]+/)) ?? otherwise
}
