import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { type CSSOptions, defineConfig, type Plugin } from 'vite'
import { locale } from '../shared/computed-facts.ts'

// Asks Node.js what `#facts` and `#brand` mean: `imports` in package.json decides which agency's site is built.
const folderOf = (name: string) => fileURLToPath(import.meta.resolve(name)).replaceAll('\\', '/')
const facts = folderOf('#facts/brand.ts').replace('/brand.ts', '/')
const brand = folderOf('#brand/mark.ts').replace('/mark.ts', '/')

// By default, react-router exports its development build, whose error view has advice for developers.
const productionRouter = (file: string) =>
  fileURLToPath(import.meta.resolve('react-router').replace(/\/development\/.*$/, `/production/${file}`))

// Imported at run time, so that Node.js resolves the facts, as it does in the server. A static import would make Vite bundle
// the module and resolve the facts by its own rules.
const { colorDeclarations }: typeof import('./color-declarations.ts') = await import(
  import.meta.resolve('./color-declarations.ts')
)

type PostcssPlugin = NonNullable<Extract<CSSOptions['postcss'], object>['plugins']>[number]

/** Replaces `@colors` in the style sheets with the brand's colors. */
const brandColors: PostcssPlugin = {
  postcssPlugin: 'brand-colors',
  AtRule: {
    colors: (rule, { Declaration }) => {
      rule.replaceWith(
        colorDeclarations(rule.params).map(
          // PostCSS warns about a declaration without a source.
          ([prop, value]) => new Declaration({ prop, value, ...(rule.source && { source: rule.source }) }),
        ),
      )
    },
  },
}

const inboxScript = `<script type="module">
  document.documentElement.dataset.webFonts = ''
  import('/src/inbox/main.tsx')
</script>`

// In development, nothing is prerendered, and the application loads at once.
const developmentScript: Plugin = {
  name: 'development-script',
  apply: 'serve',
  transformIndexHtml: (html, { originalUrl = '' }) =>
    html
      .replace('<html lang="en"', `<html lang="${locale}" data-web-fonts data-laid-out`)
      .replace(
        '<!--script-->',
        /^\/inbox(?:[/?]|$)/.test(originalUrl)
          ? inboxScript
          : '<script type="module" src="/src/main.tsx"></script>',
      ),
}

export default defineConfig(({ command, isSsrBuild }) => ({
  root: import.meta.dirname,
  publicDir: `${brand}public`,
  plugins: [react(), developmentScript],
  resolve: {
    alias: [
      { find: /^#facts\//, replacement: facts },
      { find: /^#brand\//, replacement: brand },
      ...(command === 'build' && !isSsrBuild
        ? [
            { find: /^react-router$/, replacement: productionRouter('index.mjs') },
            { find: /^react-router\/dom$/, replacement: productionRouter('dom-export.mjs') },
          ]
        : []),
    ],
  },
  css: {
    postcss: { plugins: [brandColors] },
    modules: {
      // Generates short and readable names, such as `hero-promises`.
      generateScopedName: (name, file) => `${basename(file, '.module.css')}-${name}`,
    },
  },
  build: {
    outDir: join(fileURLToPath(import.meta.resolve('#dist')), 'site'),
    emptyOutDir: true,
    // The CSP allows `data:` URLs only for images.
    assetsInlineLimit: 0,
    // client/build.ts expects one style sheet.
    cssCodeSplit: false,
    // There are no parallel imports to preload.
    modulePreload: false,
    // The oldest supported browsers: see README.md.
    target: ['safari15.4', 'ios15.4', 'firefox115', 'chrome105'],
    rolldownOptions: {
      // Most of the page's words are used only once.
      optimization: { inlineConst: { mode: 'all' } },
      treeshake: { propertyReadSideEffects: false },
      input: fileURLToPath(import.meta.resolve('./src/main.tsx')),
    },
  },
}))
