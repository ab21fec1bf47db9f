import { Type, type TSchema } from '@sinclair/typebox'
import { Detail, FieldErrors, IssuedToken, Metadata, Page } from '../../schemas/answers.ts'
import { Bike, Category } from '../../schemas/v1/bike.ts'
import { BikeSummary, Components, DetailedBike, RatingDistribution, Review, SpecificationGroup, Usage } from '../../schemas/v2/bike.ts'
import { PictureFile } from '../../schemas/v2/picture.ts'
import { resources } from '../../src/lists/resources.ts'

/** A JSON object within the OpenAPI document. */
export type Fragment = { [name: string]: unknown }

/** Marks a decision of this service where the specification is silent. */
export const provisional = { 'x-provisional': true }

const { crankset, saddle, handlebars, brakes } = Components.properties
const { usage, related, specifications } = DetailedBike.properties

/** Returns the schema of the same value without null. */
const unlessNull = (schema: TSchema) => (schema['anyOf'] as [TSchema])[0]

type Named = readonly [schema: TSchema, annotations?: Fragment]

const records = Object.fromEntries(resources.map(({ recordName, record }) => [recordName, record]))

/** Returns a schema for each kind of record, by its name. */
function perRecord (suffix: string, make: (record: TSchema) => Named): Record<string, Named> {
  return Object.fromEntries(Object.entries(records).map(([name, record]) => [name + suffix, make(record)]))
}

const namedSchemas: Readonly<Record<string, Named>> = {
  ...perRecord('', record => [record]),
  Category: [Category, { description: 'A category of bikes' }],
  Components: [Components, { description: 'The parts that v1 knows only by id', ...provisional }],
  DetailedCrankset: [unlessNull(crankset), { description: 'A crankset with its weight and measurements', ...provisional }],
  DetailedSaddle: [unlessNull(saddle), { description: 'A saddle with its weight and measurements', ...provisional }],
  DetailedHandlebar: [unlessNull(handlebars), { description: 'A handlebar with its weight and measurements', ...provisional }],
  DetailedBrake: [unlessNull(brakes), { description: 'A pair of brakes with its weight and measurements', ...provisional }],
  RelatedBikes: [related, { description: 'Bikes that lead on from this one', ...provisional }],
  BikeSummary: [BikeSummary],
  Usage: [Usage, { description: 'How a bike is looked at and ridden', ...provisional }],
  Fitness: [usage.properties.fitness, { description: 'What the fitness-tracking service knows of a bike', ...provisional }],
  Review: [Review, { description: 'What a rider says of a bike', ...provisional }],
  RatingDistribution: [RatingDistribution, provisional],
  PictureFile: [PictureFile, { description: 'One file of a picture', ...provisional }],
  SpecificationGroup: [SpecificationGroup, { description: 'Specifications that belong together', ...provisional }],
  SpecificationItem: [
    specifications.items.properties.items.items,
    { description: 'One specification; the unit is null where the value has none', ...provisional }
  ],
  ...perRecord('Array', record => [Type.Array(record), { description: 'The whole list' }]),
  ...perRecord('Page', record => [Page(record), { description: 'One page of the list' }]),
  Metadata: [Metadata, { description: 'What a list says of itself', ...provisional }],
  Detail: [Detail, { description: 'What went wrong', ...provisional }],
  FieldErrors: [FieldErrors, { description: 'What is wrong with each parameter that cannot be read', ...provisional }],
  IssuedToken: [IssuedToken, { description: 'A new token; it is shown once', ...provisional }]
}

export function schemaRef (name: string): Fragment {
  return { $ref: `#/components/schemas/${name}` }
}

/** The named schemas; the fields in which a v2 bike differs from a v1 bike are provisional. */
export const schemaComponents = components()

function components (): Fragment {
  const named = Object.entries(namedSchemas)
  const names = new Map(named.map(([name, [schema]]) => [schema, name]))
  const components = Object.fromEntries(named.map(([name, [schema, annotations]]) => [name, { ...writeOut(schema, names), ...annotations }]))
  const basic: Record<string, TSchema> = Bike.properties
  const fields = Object.entries<TSchema>(DetailedBike.properties).map(([field, schema]) => {
    return [field, { ...refer(schema, names), ...schema === basic[field] ? {} : provisional }]
  })
  return { ...components, DetailedBike: { ...components['DetailedBike'], properties: Object.fromEntries(fields) as Fragment } }
}

type Names = ReadonlyMap<TSchema, string>

/** Returns a reference to a named schema; returns other schemas in full. */
function refer (schema: TSchema, names: Names): Fragment {
  const name = names.get(schema)
  return name === undefined ? writeOut(schema, names) : schemaRef(name)
}

/** Returns a schema with references to named ones; `patternProperties` become `additionalProperties`, which more tools read. */
function writeOut (schema: TSchema, names: Names): Fragment {
  const { anyOf, properties, items, patternProperties, ...rest } = schema as TSchema & { [keyword: string]: unknown }
  if (Array.isArray(anyOf)) return { ...rest, anyOf: anyOf.map(schema => refer(schema as TSchema, names)) }
  const fragment: Fragment = { ...rest }
  if (properties !== undefined) {
    const fields = Object.entries(properties as Record<string, TSchema>)
    fragment['properties'] = Object.fromEntries(fields.map(([field, value]) => [field, refer(value, names)]))
  }
  if (items !== undefined) fragment['items'] = refer(items as TSchema, names)
  if (patternProperties !== undefined) fragment['additionalProperties'] = refer(Object.values(patternProperties)[0] as TSchema, names)
  return fragment
}
