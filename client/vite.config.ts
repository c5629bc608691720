import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { type CSSOptions, defineConfig, type Plugin } from 'vite'
import { locale } from '../shared/computed-facts.ts'

// By default, react-router exports its development build, whose error view has advice for developers.
const productionRouter = (file: string) =>
  fileURLToPath(import.meta.resolve('react-router').replace(/\/development\/.*$/, `/production/${file}`))

// Drops Vite's helper that preloads what a dynamic import needs: here, dynamic imports need no other files.
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined,
}

// Asks Node.js what `#facts` and `#brand` mean: `imports` in package.json decides which agency's site is built.
const folderOf = (name: string) => fileURLToPath(import.meta.resolve(name)).replaceAll('\\', '/')
const facts = folderOf('#facts/brand.ts').replace('/brand.ts', '/')
const brand = folderOf('#brand/mark.ts').replace('/mark.ts', '/')

// Inlines facts and words as constants: calculating them, some with `Intl`, would slow down the page.
const constants: Plugin = {
  name: 'constants',
  apply: 'build',
  async load(id) {
    const isConstant = [facts, `${brand}words/`].some((folder) => id.startsWith(folder))
    if (!isConstant && !/\/shared\/(?:budget-tiers|computed-facts)/.test(id)) return undefined
    const values = Object.entries(await import(pathToFileURL(id).href))
    if (values.some(([, value]) => typeof value === 'function')) return undefined
    return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`).join('\n')
  },
}

// Imported at run time, so that Node.js resolves the facts, as it does in the server. A static import would make Vite bundle
// the module and resolve the facts by its own rules.
const { colorDeclarations }: typeof import('./color-declarations.ts') = await import(
  import.meta.resolve('./color-declarations.ts')
)
const { officeHoursWidth }: typeof import('./office-hours-width.ts') = await import(
  import.meta.resolve('./office-hours-width.ts')
)

type PostcssPlugin = NonNullable<Extract<CSSOptions['postcss'], object>['plugins']>[number]

/** Replaces `@colors` and `@office-hours-width` in the style sheets with the brand's colors and the office hours' width. */
const brandValues: PostcssPlugin = {
  postcssPlugin: 'brand-values',
  AtRule: {
    'office-hours-width': (rule, { Declaration }) => {
      const { source } = rule
      rule.replaceWith(
        new Declaration({ prop: '--office-hours-width', value: officeHoursWidth, ...(source && { source }) }),
      )
    },
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

const pageScript = `<script type="module">
  import { hydrate } from '/src/main.tsx'
  import { closeMenuAutomatically } from '/src/sections/header/close-menu.ts'
  Object.assign(document.documentElement.dataset, { webFonts: '', laidOut: '' })
  closeMenuAutomatically()
  hydrate()
</script>`

const inboxScript = `<script type="module">
  document.documentElement.dataset.webFonts = ''
  import('/src/inbox/main.tsx')
</script>`

// In development, nothing is prerendered, so this replaces src/first-script.ts.
const developmentScript: Plugin = {
  name: 'development-script',
  apply: 'serve',
  transformIndexHtml: (html, { originalUrl = '' }) =>
    html
      .replace('<html lang="en"', `<html lang="${locale}"`)
      .replace('<!--script-->', /^\/inbox(?:[/?]|$)/.test(originalUrl) ? inboxScript : pageScript),
}

export default defineConfig(({ command, isSsrBuild }) => ({
  root: import.meta.dirname,
  publicDir: `${brand}public`,
  plugins: [react(), plainImports, constants, developmentScript],
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
    postcss: { plugins: [brandValues] },
    // Lightning CSS's `Features.LightDark`: adds variables that only `light-dark()` needs, and no style uses it.
    lightningcss: { exclude: 1_048_576 },
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
    // client/build.ts inlines the styles and expects them in a single file.
    cssCodeSplit: false,
    // There are no parallel imports to preload.
    modulePreload: false,
    // The oldest supported browsers: see README.md.
    target: ['safari15.4', 'ios15.4', 'firefox115', 'chrome105'],
    rolldownOptions: {
      // Inlines every constant, because most of the page's words are used only once.
      optimization: { inlineConst: { mode: 'all' } },
      input: fileURLToPath(import.meta.resolve('./src/main.tsx')),
      // Keeps the application's exports, because the first script calls them.
      preserveEntrySignatures: 'allow-extension',
    },
  },
}))
