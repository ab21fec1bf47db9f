import neostandard from 'neostandard'

export default [
  ...neostandard({ ts: true, ignores: ['dist', '.tap', 'test/openapi/types.ts'] }),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [{ from: 'package', package: '@tapjs/core', name: 'test' }, { from: 'package', package: 'tap', name: 'test' }] }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-redeclare': 'off', // a schema and its type share a name
      '@stylistic/arrow-parens': ['error', 'as-needed'],
      camelcase: 'off' // wire names stay as specified
    }
  }
]
