import { LRUCache } from 'lru-cache'
import type { Layout } from './serialise.ts'
import { compileTemplate, type Measure, type Template } from './template.ts'
import { resources, type Resource } from './resources.ts'

/** The records of a list as JSON in one layout, by their position; each is made when it is needed. */
export type WrittenRecords = {
  template: (position: number) => Template
  /** Stays known when the template is no longer kept. */
  measure: (position: number) => Measure
  isMeasured: (position: number) => boolean
}

/** Bounds the memory of templates, in bytes. A list that has room is written once, any other each time that it is sent. */
const templateBytes = 192 * 2 ** 20

/** About what a template takes besides its own JSON, in bytes. */
const overhead = 400

/** Bounds of how many lists the measures are kept in another layout than compact; they take about 100 bytes a record. */
const maxLaidOut = 6

/** The number of positions that a list has room for. */
const positions = 2 ** 32

/** What makes a template of each record of a list. */
export function compileRecord ({ record }: Resource, layout: Layout): (record: object) => Template {
  return compileTemplate(record, layout, new Set(resources.map(resource => resource.record).filter(part => part !== record)))
}

/** A function that finds the records of a list in a layout, which `recordAt` gives as they are served. */
export function createWriter (recordAt: (resource: Resource, position: number) => object) {
  const templates = new LRUCache<number, Template>({ maxSize: templateBytes, sizeCalculation: ({ bytes }) => bytes.length + overhead })
  const compact = new Map<string, WrittenRecords>()
  const laidOut = new LRUCache<string, WrittenRecords>({ max: maxLaidOut })
  let count = 0

  return function write (resource: Resource, layout: Layout): WrittenRecords {
    const known = layout.indent === 0 ? compact : laidOut
    const key = `${resource.key} ${layout.indent} ${layout.depth}`
    const written = known.get(key) ?? writeRecords(resource, layout, positions * count++)
    known.set(key, written)
    return written
  }

  function writeRecords (resource: Resource, layout: Layout, first: number): WrittenRecords {
    const compiled = compileRecord(resource, layout)
    const measures: Measure[] = []

    function template (position: number): Template {
      const known = templates.get(first + position)
      if (known !== undefined) return known
      const made = compiled(recordAt(resource, position))
      const { length, origins, digest } = made
      measures[position] ??= { length, origins, digest }
      templates.set(first + position, made)
      return made
    }

    return {
      template,
      measure: position => measures[position] ?? template(position),
      isMeasured: position => measures[position] !== undefined
    }
  }
}
