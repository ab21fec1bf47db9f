/** The export `bicycle-catalogue/schemas`: a schema for each kind of response, and its type by the same name. */

export { Detail, FieldErrors, IssuedToken, Metadata, Page } from './responses.ts'
export { Bike, Category } from './v1/bike.ts'
export { Chain } from './v1/chain.ts'
export { Groupset } from './v1/groupset.ts'
export { Brake, Crankset, Handlebar, Saddle } from './v1/make.ts'
export { Tyre } from './v1/tyre.ts'
export { Wheel } from './v1/wheel.ts'
export { BikeSummary, Components, DetailedBike, RatingDistribution, Review, SpecificationGroup, Usage } from './v2/bike.ts'
export { ImageFile } from './v2/image.ts'
