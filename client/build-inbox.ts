import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { InlineConfig, Rolldown } from 'vite'
import { shellBody, shellHead } from './src/inbox/shell.ts'

type Bundle = (options: InlineConfig) => Promise<Rolldown.RolldownOutput['output']>

/**
 * Builds the inbox into `site`. This is a separate build, so that none of the inbox's code ends up in the public page.
 * Returns the parts of the inbox's document.
 */
export async function buildInbox(bundle: Bundle, site: string) {
  const output = await bundle({
    publicDir: false,
    build: {
      emptyOutDir: false,
      rolldownOptions: {
        input: join(import.meta.dirname, 'src/inbox/main.tsx'),
        output: { entryFileNames: 'assets/inbox-[hash].js', chunkFileNames: 'assets/inbox-[name]-[hash].js' },
      },
    },
  })
  const application = output.find((part) => part.type === 'chunk' && part.isEntry)
  const style = output.find((part) => part.type === 'asset' && part.fileName.endsWith('.css'))
  if (!application || style?.type !== 'asset')
    throw new Error('The inbox was built without a script or a style sheet.')
  await rm(join(site, style.fileName))
  const first = await buildFirstScript(bundle, `/${application.fileName}`)
  return {
    head: shellHead,
    style: `<style>${String(style.source).trim()}</style>`,
    script: `<script type="module">${first}</script>`,
    app: shellBody,
  }
}

/** Builds the script that is inlined in the document, so that it can request data while the application is still loading. */
async function buildFirstScript(bundle: Bundle, application: string): Promise<string> {
  const output = await bundle({
    publicDir: false,
    define: { APPLICATION: JSON.stringify(application) },
    build: {
      write: false,
      rolldownOptions: {
        input: join(import.meta.dirname, 'src/inbox/first-script.ts'),
        external: [application],
      },
    },
  })
  // The build also emits a style sheet. Ignore it: the application's style sheet already includes this script's styles.
  const [script, ...others] = output.filter((part) => part.type === 'chunk')
  if (!script || others.length > 0)
    throw new Error("The inbox's first script is inlined, so it must build to a single file.")
  return script.code.trim()
}
