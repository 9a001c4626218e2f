import js from '@eslint/js'
import hooks from 'eslint-plugin-react-hooks'
import typescript from 'typescript-eslint'

export default typescript.config(
  { ignores: ['node_modules/', 'eslint.config.js'] },
  js.configs.recommended,
  ...typescript.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'react-hooks': hooks },
    rules: {
      ...hooks.configs.recommended.rules,
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      'max-lines': ['error', 500],
      'max-lines-per-function': ['error', 70],
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Text is escaped by Preact; nothing is put in as HTML.',
        },
      ],
    },
  },
  { files: ['tests/**'], rules: { 'max-lines-per-function': 'off' } },
)
