import type { Image } from './catalogue.ts'

/** The images of the built-in data by their paths below media/; scripts/build.ts fills it, so that a start opens none of them. */
export const builtInImages: ReadonlyMap<string, Image> = new Map()
