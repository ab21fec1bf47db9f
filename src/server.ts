// The server of the command and of the package, which the build makes one file.
export { serve } from './command/serve.ts'
export * from './index.ts'
