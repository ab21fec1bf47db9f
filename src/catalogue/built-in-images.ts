import type { Image } from './catalogue.ts'

/** The images of the built-in data by their paths below media/; scripts/build.ts fills it, so startup opens none. */
export const builtInImages: ReadonlyMap<string, Image> = new Map()
