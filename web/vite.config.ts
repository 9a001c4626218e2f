// Two builds of one tree: `--mode what-if` is one script and one sheet that a report carries inside itself;
// `--mode serve` is the pages of `drivecast serve`, files that it hands out by name.
import { defineConfig } from 'vitest/config'

const python = '../python/drivecast'

const whatIf = {
  outDir: `${python}/present/web`,
  emptyOutDir: false, // the wasm module is there, too
  lib: {
    entry: 'src/what-if/main.tsx',
    formats: ['iife' as const],
    name: 'drivecastWhatIf',
    fileName: () => 'what-if.js',
    cssFileName: 'what-if',
  },
}

/** The what-if page over the stand-in of its tests. */
const fake = {
  ...whatIf,
  outDir: '../out/fake',
  lib: { ...whatIf.lib, entry: 'tests/what-if/page.tsx', fileName: () => 'fake.js', cssFileName: 'fake' },
}

const serve = {
  outDir: `../../${python}/serve/pages`, // from `root` below
  emptyOutDir: true,
  assetsInlineLimit: 0, // its content policy allows files of its own origin, and nothing inline
}

export default defineConfig(({ mode }) => ({
  root: mode === 'serve' ? 'src/serve' : '.',
  base: mode === 'serve' ? './' : '/',
  define: { 'process.env.NODE_ENV': '"production"' },
  oxc: { jsx: { runtime: 'automatic' as const, importSource: 'preact' } },
  build: {
    target: 'es2022',
    reportCompressedSize: true,
    modulePreload: { polyfill: false },
    ...(mode === 'serve' ? serve : mode === 'fake' ? fake : whatIf),
  },
  worker: { format: 'iife' as const },
  test: { environment: 'happy-dom', include: ['tests/**/*.test.{ts,tsx}'] },
}))
