// The exports of the package.
export { start, type CountedRule, type RecordedRequest, type Rule, type Server } from './start.ts'
export type { Options } from './settings/settings.ts'
