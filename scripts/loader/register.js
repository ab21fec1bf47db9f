import module from 'node:module'
import { load } from './load.js'

// Node 20 knows only hooks in a thread of their own, Node 26 only those in this one.
if (module.registerHooks) module.registerHooks({ load })
else module.register('./load.js', import.meta.url)
