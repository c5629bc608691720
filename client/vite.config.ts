import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// The package names its development build for everybody: with warnings, and advice to developers on the error view.
const productionRouter = (file: string) =>
  fileURLToPath(import.meta.resolve('react-router').replace(/\/development\/.*$/, `/production/${file}`))

// There is one style sheet, in the document: Vite's helper, which fetches those of a part, is weight for nothing.
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined,
}

// While developing there is no document to hydrate, and no first paint to wait for (src/first-script.ts).
const developmentScript: Plugin = {
  name: 'development-script',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html.replace(
      '<!--script-->',
      `<script type="module">
        import { hydrate } from '/src/main.tsx'
        Object.assign(document.documentElement.dataset, { ownFonts: '', painted: '' })
        hydrate()
      </script>`,
    ),
}

export default defineConfig(({ command, isSsrBuild }) => ({
  root: import.meta.dirname,
  plugins: [react(), plainImports, developmentScript],
  resolve: {
    alias:
      command === 'build' && !isSsrBuild
        ? [
            { find: /^react-router$/, replacement: productionRouter('index.mjs') },
            { find: /^react-router\/dom$/, replacement: productionRouter('dom-export.mjs') },
          ]
        : [],
  },
  css: {
    modules: {
      // Short, and to be read in the browser: `hero-promises`.
      generateScopedName: (name, file) => `${basename(file, '.module.css')}-${name}`,
    },
  },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    // The policy of the site allows no `data:` address but for pictures.
    assetsInlineLimit: 0,
    // One style sheet, which client/build.ts puts into the documents.
    cssCodeSplit: false,
    // Nothing to gain: one script asks for the next.
    modulePreload: false,
    target: 'es2022',
    // The document's first script calls what the application exports.
    rolldownOptions: {
      input: fileURLToPath(import.meta.resolve('./src/main.tsx')),
      preserveEntrySignatures: 'allow-extension',
    },
  },
}))
