import type { CranksetLook } from './chainring.ts'
import { says } from './read.ts'
import type { MakeRecord } from './records.ts'

const black = '#2a2d33'

const looks: ReadonlyArray<readonly [words: string, look: Partial<CranksetLook>]> = [
  ['campagnolo.*ekar', { arm: '#34383f', rings: '#2b2e34', spider: 4, uneven: true, shape: 'broad', mark: '#b86b3a' }],
  ['campagnolo', { arm: '#3a3d43', rings: '#3d4148', spider: 4, uneven: true, shape: 'broad', mark: '#c8ccd1' }],
  ['dura-ace', { arm: '#1f2126', rings: '#24272c', uneven: true, shape: 'hollow', mark: '#a8aeb5' }],
  ['ultegra|precision', { arm: '#3b3e45', rings: '#3a3d44', uneven: true, shape: 'hollow', mark: '#e0e3e6' }],
  ['105', { arm: '#4d525a', rings: '#5a6068', uneven: true, shape: 'hollow', mark: '#22252b' }],
  ['grx', { arm: '#33363d', rings: '#2a2d33', uneven: true, shape: 'hollow', mark: '#8a9098' }],
  ['sram.*red', { arm: '#26282e', rings: '#9aa1a8', spider: 8, shape: 'broad', mark: '#d0342c' }],
  ['sram.*force', { arm: '#2d3036', rings: '#6f767e', spider: 8, shape: 'broad', mark: '#cfd3d7' }],
  ['sram', { arm: '#3a3d44', rings: '#4d525a', spider: 8, shape: 'broad', mark: '#8d949c' }],
  ['miche|pista', { arm: '#b9bec4', rings: '#c9cdd2', spider: 5, shape: 'slim', mark: '#d4423a' }],
  ['sugino|75', { arm: '#c9cdd2', rings: '#d3d7db', spider: 5, shape: 'slim', mark: '#5c636b' }],
  ['rotor|aldhu', { arm: '#24272c', rings: '#31353b', spider: 4, shape: 'slim', mark: '#3f9fd0' }],
  ['praxis|zayante', { arm: '#25282d', rings: '#43484f', spider: 4, shape: 'broad', mark: '#e9ebed' }],
  ['fsa|omega', { arm: '#34373d', rings: '#7b828a', spider: 4, shape: 'round', mark: '#c8ccd1' }],
  ['deore|cues|box|microshift|sword', { arm: black, rings: '#3a3d44', spider: 4, shape: 'round', mark: '#7b828a' }],
  ['single-speed', { arm: '#8e959d', rings: '#a4abb2', spider: 5, shape: 'slim', mark: '#3a3d44' }]
]

const plain: CranksetLook = { arm: black, rings: '#4a4f57', spider: 4, uneven: false, shape: 'round', gloss: 0.8, mark: '#9aa1a8' }

/** Reads how a crankset looks from the words of its brand and model, a plain black one where they say nothing. */
export function cranksetLook ({ brand, model }: MakeRecord): CranksetLook {
  const words = `${brand} ${model}`
  return { ...plain, ...looks.find(([pattern]) => says(pattern, words))?.[1] }
}
