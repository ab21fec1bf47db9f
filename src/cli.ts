#!/usr/bin/env node
import module from 'node:module'
import './engine.ts'

const args = process.argv.slice(2)
const [firstArgument = ''] = args
const isServer = firstArgument === 'dev' || !/^[a-z]+$/i.test(firstArgument)
const mayBeHelp = args.some(argument => /^(?:--help|--version|-[hv]+)$/.test(argument))

// Node 22 and later cache compiled code.
const { enableCompileCache } = module as { enableCompileCache?: () => unknown }
enableCompileCache?.()
if (isServer && !mayBeHelp) {
  const { serve } = await import('./command/serve.ts')
  serve(args)
} else {
  const { main } = await import('./main.ts')
  main(args)
}
