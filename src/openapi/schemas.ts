import type { TObject, TSchema } from '@sinclair/typebox'
import { Detail, FieldErrors, IssuedToken, Metadata, Page } from '../../schemas/answers.ts'
import { Bike, Category } from '../../schemas/v1/bike.ts'
import { Chain } from '../../schemas/v1/chain.ts'
import { Groupset } from '../../schemas/v1/groupset.ts'
import { Brake, Handlebar, Saddle } from '../../schemas/v1/make.ts'
import { Tyre } from '../../schemas/v1/tyre.ts'
import { Wheel } from '../../schemas/v1/wheel.ts'
import { BikeSummary, Components, DetailedBike, RatingDistribution, Review, SpecificationGroup, Usage } from '../../schemas/v2/bike.ts'
import { PictureFile } from '../../schemas/v2/picture.ts'
import { provisional, writeOut, type Part } from './schema.ts'

/** Gives the schema of a part that may be null. */
const partOf = (schema: TSchema) => (schema['anyOf'] as [TSchema])[0]

const { crankset, saddle, handlebars, brakes } = Components.properties
const { usage, related, specifications } = DetailedBike.properties

/** The records, each with a name of its own; a list of them has the name's page. */
const records = { Bike, Wheel, Tyre, Chain, Groupset, Brake, Saddle, Handlebar, DetailedBike } satisfies Record<string, TObject>

/** Every schema that has a name, with what a reader should know of it beyond what it says itself. */
const named: Readonly<Record<string, [schema: TSchema, said?: Part]>> = {
  ...Object.fromEntries(Object.entries(records).map(([name, record]) => [name, [record]])),
  Category: [Category, { description: 'A category of bikes' }],
  Components: [Components, { description: 'The parts that v1 knows only by id', ...provisional }],
  DetailedCrankset: [partOf(crankset), { description: 'A crankset with its weight and measurements', ...provisional }],
  DetailedSaddle: [partOf(saddle), { description: 'A saddle with its weight and measurements', ...provisional }],
  DetailedHandlebar: [partOf(handlebars), { description: 'A handlebar with its weight and measurements', ...provisional }],
  DetailedBrake: [partOf(brakes), { description: 'A pair of brakes with its weight and measurements', ...provisional }],
  RelatedBikes: [related, { description: 'Bikes that lead on from this one', ...provisional }],
  BikeSummary: [BikeSummary],
  Usage: [Usage, { description: 'How a bike is looked at and ridden', ...provisional }],
  Fitness: [usage.properties.fitness, { description: 'What the fitness-tracking service knows of a bike', ...provisional }],
  Review: [Review, { description: 'What a rider says of a bike', ...provisional }],
  RatingDistribution: [RatingDistribution, provisional],
  PictureFile: [PictureFile, { description: 'One file of a picture', ...provisional }],
  SpecificationGroup: [SpecificationGroup, { description: 'Specifications that belong together', ...provisional }],
  SpecificationItem: [specifications.items.properties.items.items, { description: 'One specification; the unit is null where the value has none', ...provisional }],
  ...Object.fromEntries(Object.entries(records).map(([name, record]) => [`${name}Page`, [Page(record), { description: 'One page of the list' }]])),
  Metadata: [Metadata, { description: 'What a list says of itself', ...provisional }],
  Detail: [Detail, { description: 'What went wrong', ...provisional }],
  FieldErrors: [FieldErrors, { description: 'What is wrong with each parameter that cannot be read', ...provisional }],
  IssuedToken: [IssuedToken, { description: 'A new token; it is shown once', ...provisional }]
}

const names = new Map(Object.entries(named).map(([name, [schema]]) => [schema, name]))

/** Gives the name of a schema that has one. */
export function nameOf (schema: TSchema): string {
  return names.get(schema) as string
}

/** Gives a reference to a named schema. */
export function schemaRef (name: string): Part {
  return { $ref: `#/components/schemas/${name}` }
}

/** Gives every named schema; the fields in which a v2 bike differs from a v1 bike are provisional. */
export function schemaComponents (): Part {
  const parts = Object.fromEntries(Object.entries(named).map(([name, [schema, said]]) => [name, { ...writeOut(schema, names), ...said }]))
  const fields = (parts['DetailedBike'] as { properties: Record<string, Part> }).properties
  const own: Record<string, TSchema> = DetailedBike.properties
  const basic: Record<string, TSchema> = Bike.properties
  for (const [field, part] of Object.entries(fields)) if (own[field] !== basic[field]) Object.assign(part, provisional)
  return parts
}
