import { defineConfig } from 'vite';

/** Addresses in the page are relative: api-gateway puts BASE_PATH before them. */
export default defineConfig({
  base: './',
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    // `npm run dev:console` shows the sources against a product that runs: PRODUCT=http://127.0.0.1:8080.
    proxy: { '^/(v1|pro|docs)(/|$)': { target: process.env.PRODUCT ?? 'http://127.0.0.1:8080' } },
  },
});
