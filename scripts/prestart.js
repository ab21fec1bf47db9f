import { existsSync } from 'node:fs'

// Builds before a start where sources and bundler are; a package is built already.
if (existsSync('src/cli.ts') && hasBundler()) {
  await import('./build.js')
} else if (!existsSync('dist/cli.js')) {
  process.stderr.write('Nothing is built, and the bundler is not installed: run npm ci without --omit=dev, then npm start.\n')
  process.exitCode = 1
}

function hasBundler () {
  try { return import.meta.resolve('esbuild') !== '' } catch { return false }
}
