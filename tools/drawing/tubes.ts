import type { Tubes } from './frame.ts'
import type { Build } from './geometry.ts'
import { says } from './read.ts'

const steel: Tubes = {
  down: [33, 32],
  top: [29, 29],
  seat: [29, 29],
  head: [37, 37],
  chainstay: [25, 14],
  seatstay: [16, 12],
  fork: [27, 13],
  shell: 22,
  moulded: false,
  lowStays: false
}

const aluminium: Tubes = {
  down: [50, 46],
  top: [36, 38],
  seat: [34, 32],
  head: [50, 44],
  chainstay: [31, 20],
  seatstay: [18, 15],
  fork: [38, 21],
  shell: 29,
  moulded: false,
  lowStays: false
}

const carbon: Tubes = {
  down: [66, 52],
  top: [34, 44],
  seat: [42, 33],
  head: [60, 48],
  chainstay: [38, 22],
  seatstay: [18, 16],
  fork: [46, 24],
  shell: 36,
  moulded: true,
  lowStays: true
}

const blade: Tubes = {
  down: [88, 72],
  top: [44, 58],
  seat: [64, 52],
  head: [86, 76],
  chainstay: [46, 24],
  seatstay: [22, 20],
  fork: [64, 30],
  shell: 40,
  moulded: true,
  lowStays: true
}

/** Returns the tube widths of a frame by its material and build; one with a battery in the down tube has a fuller one. */
export function tubesOf (material: string, build: Build, powered: boolean): Tubes {
  const own = build === 'trial' ? blade : says('steel|titan', material) ? steel : says('alu|alloy', material) ? aluminium : carbon
  return powered ? { ...own, down: [Math.max(78, own.down[0]), 66], head: [64, 52] } : own
}

/** Tells whether a frame is of round steel tubes with a bent fork. */
export const isSteel = (material: string) => says('steel|titan', material)
