import { asset } from '../assets.ts'
import { script } from './script.ts'
import { style } from './style.ts'

export const referenceStyle = asset('reference', 'css', 'text/css; charset=utf-8', style)
export const referenceScript = asset('reference', 'js', 'text/javascript; charset=utf-8', script)
