// The exports of the package.
export { start, type CountedRule, type RecordedRequest, type Rule, type Server } from './start.ts'
export { CatalogueErrors } from './catalogue/errors/error.ts'
export { ListenError } from './http/listening.ts'
export { SettingsError } from './settings/flags.ts'
export type { Options } from './settings/settings.ts'
