import css from '@eslint/css'
import neostandard from 'neostandard'

const scripts = ['**/*.js', '**/*.ts']

export default [
  { ignores: ['dist', '.tap', 'examples/*.ts'] },
  ...neostandard({ ts: true, noJsx: true }).map(config => ({ files: scripts, ...config })),
  ...neostandard({ env: ['browser'], noJsx: true, noStyle: true }).map(config => ({ ...config, files: ['assets/*.js', 'examples/app/*.js'] })),
  {
    files: ['assets/*.css', 'examples/app/*.css'],
    plugins: { css },
    language: 'css/css',
    rules: {
      ...css.configs.recommended.rules,
      'css/no-invalid-properties': ['error', { allowUnknownVariables: true }], // theme.css has those of every file
      'css/use-baseline': ['error', { available: 'newly', allowProperties: ['text-size-adjust', 'text-wrap', 'scrollbar-width'], allowSelectors: ['marker'] }] // niceties
    }
  },
  { files: ['examples/jest/*.js'], languageOptions: { globals: { afterEach: 'readonly', expect: 'readonly', test: 'readonly' } } },
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [{ from: 'package', package: '@tapjs/core', name: 'test' }, { from: 'package', package: 'tap', name: 'test' }] }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-redeclare': 'off', // a schema and its type share a name
      '@stylistic/arrow-parens': ['error', 'as-needed'],
      '@stylistic/object-property-newline': 'off', // a row of a table may stand in two lines
      camelcase: 'off' // wire names stay as specified
    }
  },
  {
    files: ['**/*.ts'],
    rules: { '@stylistic/max-len': ['error', { code: 120, ignoreUrls: true }] }
  }
]
