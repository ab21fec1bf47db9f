/** The export `bicycle-catalogue/schemas`: a schema for each kind of response, and its type by the same name. */

export { Detail, FieldErrors, IssuedToken, Metadata, Page } from './responses.ts'
export * from './v1/bike.ts'
export * from './v1/chain.ts'
export * from './v1/groupset.ts'
export * from './v1/make.ts'
export * from './v1/tyre.ts'
export * from './v1/wheel.ts'
export {
  BikeSummary, Components, DetailedBike, RatingDistribution, Review, SpecificationGroup, Usage
} from './v2/bike.ts'
export { ImageFile } from './v2/image.ts'
