import { Type, type TSchema } from '@sinclair/typebox'
import { Detail, FieldErrors, IssuedToken, Metadata, Page } from '../../schemas/responses.ts'
import { Bike, Category } from '../../schemas/v1/bike.ts'
import {
  BikeSummary, Components, DetailedBike, RatingDistribution, Review, SpecificationGroup, Usage
} from '../../schemas/v2/bike.ts'
import { ImageFile } from '../../schemas/v2/image.ts'
import * as exported from '../../schemas/index.ts'
import { resources, type Resource } from '../../src/lists/resources.ts'

/** A JSON object within the OpenAPI document. */
export type Fragment = { [name: string]: unknown }

/** Marks a part that the specification leaves open with its clause in docs/contract.md. */
export const provisional = (clause: string) => ({ 'x-provisional': clause })

const { crankset, saddle, handlebars, brakes } = Components.properties
const { usage, related, specifications } = DetailedBike.properties

/** Returns the schema of the same value without null. */
const unlessNull = (schema: TSchema) => (schema['anyOf'] as [TSchema])[0]

type Named = readonly [schema: TSchema, annotations?: Fragment]

/** Returns the name under which the schema of a list's records is exported. */
export function recordNameOf ({ key, record }: Resource): string {
  const [name] = Object.entries(exported).find(([, schema]) => schema === record) ?? []
  if (name === undefined) throw new Error(`schemas/index.ts must export the schema of the records of ${key}.`)
  return name
}

const records = Object.fromEntries(resources.map(resource => [recordNameOf(resource), resource.record]))

/** Returns a schema for each kind of record, by its name. */
function perRecord (suffix: string, make: (record: TSchema) => Named): Record<string, Named> {
  return Object.fromEntries(Object.entries(records).map(([name, record]) => [name + suffix, make(record)]))
}

const namedSchemas: Readonly<Record<string, Named>> = {
  ...perRecord('', record => [record]),
  Category: [Category, { description: 'A category of bikes' }],
  Components: [Components, { description: 'The components that v1 has only as ids', ...provisional('D34') }],
  DetailedCrankset: [
    unlessNull(crankset),
    { description: 'A crankset with its weight and measurements', ...provisional('D34') }
  ],
  DetailedSaddle: [
    unlessNull(saddle),
    { description: 'A saddle with its weight and measurements', ...provisional('D34') }
  ],
  DetailedHandlebar: [
    unlessNull(handlebars),
    { description: 'A handlebar with its weight and measurements', ...provisional('D34') }
  ],
  DetailedBrake: [
    unlessNull(brakes),
    { description: 'A pair of brakes with its weight and measurements', ...provisional('D34') }
  ],
  RelatedBikes: [related, { description: 'Similar bikes, and bikes of the same brand', ...provisional('D34') }],
  BikeSummary: [BikeSummary],
  Usage: [
    Usage,
    { description: 'Views, favourites and data from the fitness-tracking service', ...provisional('D34') }
  ],
  Fitness: [usage.properties.fitness, { description: 'Data from the fitness-tracking service', ...provisional('D34') }],
  Review: [Review, { description: 'A rider\'s review of a bike', ...provisional('D34') }],
  RatingDistribution: [RatingDistribution, provisional('D34')],
  ImageFile: [ImageFile, { description: 'One file of an image', ...provisional('D34') }],
  SpecificationGroup: [
    SpecificationGroup,
    { description: 'Specifications that belong together', ...provisional('D34') }
  ],
  SpecificationItem: [
    specifications.items.properties.items.items,
    { description: 'One specification; the unit is null if the value has none', ...provisional('D34') }
  ],
  ...perRecord('Array', record => [Type.Array(record), { description: 'The whole list' }]),
  ...perRecord('Page', record => [Page(record), { description: 'One page of the list' }]),
  Metadata: [Metadata, { description: 'Metadata of a list', ...provisional('F7') }],
  Detail: [Detail, { description: 'An error', ...provisional('F5') }],
  FieldErrors: [FieldErrors, { description: 'The errors of each invalid parameter', ...provisional('D37') }],
  IssuedToken: [IssuedToken, { description: 'A new token; it is shown once', ...provisional('D27') }]
}

export function schemaRef (name: string): Fragment {
  return { $ref: `#/components/schemas/${name}` }
}

/** The named schemas; the fields in which a v2 bike differs from a v1 bike are provisional. */
export const schemaComponents = components()

function components (): Fragment {
  const named = Object.entries(namedSchemas)
  const names = new Map(named.map(([name, [schema]]) => [schema, name]))
  const components: Record<string, Fragment> = {}
  for (const [name, [schema, annotations]] of named) components[name] = { ...writeOut(schema, names), ...annotations }
  const basic: Record<string, TSchema> = Bike.properties
  const fields = Object.entries<TSchema>(DetailedBike.properties).map(([field, schema]) => {
    return [field, { ...refer(schema, names), ...schema === basic[field] ? {} : provisional('D34') }]
  })
  const detailedBike = { ...components['DetailedBike'], properties: Object.fromEntries(fields) as Fragment }
  return { ...components, DetailedBike: detailedBike }
}

type Names = ReadonlyMap<TSchema, string>

/** Returns a reference to a named schema; returns other schemas in full. */
function refer (schema: TSchema, names: Names): Fragment {
  const name = names.get(schema)
  return name === undefined ? writeOut(schema, names) : schemaRef(name)
}

/** Replaces named schemas with references, and `patternProperties` with `additionalProperties`, which is common. */
function writeOut (schema: TSchema, names: Names): Fragment {
  const { anyOf, properties, items, patternProperties, ...rest } = schema as TSchema & { [keyword: string]: unknown }
  if (Array.isArray(anyOf)) return { ...rest, anyOf: anyOf.map(schema => refer(schema as TSchema, names)) }
  const fragment: Fragment = { ...rest }
  if (properties !== undefined) {
    const fields = Object.entries(properties as Record<string, TSchema>)
    fragment['properties'] = Object.fromEntries(fields.map(([field, value]) => [field, refer(value, names)]))
  }
  if (items !== undefined) fragment['items'] = refer(items as TSchema, names)
  if (patternProperties !== undefined) {
    const [first] = Object.values(patternProperties)
    fragment['additionalProperties'] = refer(first as TSchema, names)
  }
  return fragment
}
