import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { colors } from '#facts/colors.ts'

const folderOf = (name: string) => fileURLToPath(import.meta.resolve(name))

// By default, react-router exports its development build, whose error view has advice for
// developers.
const productionRouter = (file: string) =>
  fileURLToPath(import.meta.resolve('react-router').replace(/\/development\/.*$/, `/production/${file}`))

// In development, nothing is prerendered, and the application loads at once.
const developmentScript: Plugin = {
  name: 'development-script',
  apply: 'serve',
  transformIndexHtml: (html, { originalUrl = '' }) =>
    html
      .replace('<html', '<html data-web-fonts data-laid-out')
      .replace(
        '<!--script-->',
        `<script type="module" src="/src${application(originalUrl)}/main.tsx"></script>`,
      ),
}

const application = (url: string) => (url.startsWith('/inbox') ? '/inbox' : '')

export default defineConfig({
  root: import.meta.dirname,
  publicDir: folderOf('#brand/public'),
  plugins: [react(), developmentScript],
  resolve: {
    alias: [
      { find: /^react-router$/, replacement: productionRouter('index.mjs') },
      { find: /^react-router\/dom$/, replacement: productionRouter('dom-export.mjs') },
    ],
  },
  css: {
    postcss: {
      plugins: [
        {
          postcssPlugin: 'brand-colors',
          AtRule: {
            /** Replaces `@colors <theme>` in the style sheets with the brand's colors. */
            colors(rule) {
              const theme = rule.params === 'light' ? 0 : 1
              // PostCSS warns about a declaration without a source.
              for (const [name, color] of Object.entries(colors))
                rule.before({
                  prop: `--color-${name}`,
                  value: String(color[theme]),
                  ...(rule.source && { source: rule.source }),
                })
              rule.remove()
            },
          },
        },
      ],
    },
    modules: {
      // Generates short and readable names, such as `hero-promises`.
      generateScopedName: (name, file) => `${basename(file, '.module.css')}-${name}`,
    },
  },
  build: {
    outDir: join(folderOf('#dist'), 'site'),
    emptyOutDir: true,
    // The CSP allows `data:` URLs only for images.
    assetsInlineLimit: 0,
    // client/build.ts expects one style sheet.
    cssCodeSplit: false,
    // Preloading what lazy pages import would add a script to each page.
    modulePreload: false,
    // The oldest supported browsers: see README.md.
    target: ['safari15.4', 'ios15.4', 'firefox115', 'chrome105'],
    rolldownOptions: {
      // Most of the page's words are used only once.
      optimization: { inlineConst: { mode: 'all' } },
      treeshake: { propertyReadSideEffects: false },
      input: join(import.meta.dirname, 'src/main.tsx'),
    },
  },
})
