export { default } from './tools/eslint.config.js' // whose plugins are in tools/node_modules
