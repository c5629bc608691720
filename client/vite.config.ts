import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// react-router exports its development build by default, with warnings and advice for developers in the error view.
const productionRouter = (file: string) =>
  fileURLToPath(import.meta.resolve('react-router').replace(/\/development\/.*$/, `/production/${file}`))

// The only style sheet is inlined, so Vite's helper that loads style sheets on demand is dead weight.
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined,
}

// In development there is no document to hydrate and no first paint to wait for (src/first-script.ts).
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
      // Short and readable: `hero-promises`.
      generateScopedName: (name, file) => `${basename(file, '.module.css')}-${name}`,
    },
  },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    // The CSP allows `data:` URLs only for images.
    assetsInlineLimit: 0,
    // One style sheet, which client/build.ts inlines.
    cssCodeSplit: false,
    // Scripts are only loaded one after the other.
    modulePreload: false,
    target: 'es2022',
    // The first script calls the application's exports.
    rolldownOptions: {
      input: fileURLToPath(import.meta.resolve('./src/main.tsx')),
      preserveEntrySignatures: 'allow-extension',
    },
  },
}))
