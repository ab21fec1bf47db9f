import { dts } from 'rollup-plugin-dts'

/** Bundles the types of the package's exports, including TypeBox's; only `app` refers to Fastify, an optional peer dependency. */
export default {
  input: { index: 'src/index.ts', schemas: 'schemas/index.ts' },
  external: ['fastify'],
  plugins: [dts({ includeExternal: ['@sinclair/typebox'] })],
  output: { dir: 'dist', banner: '// @ts-ignore Fastify may be missing.' }
}
