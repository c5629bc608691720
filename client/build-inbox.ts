import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { workerPath } from '#shared/inbox/api.ts'
import { buildFirstScript, bundle, entryOf, styleOf } from './bundle.ts'

/**
 * Builds the inbox into `site`. This is a separate build, so that none of the inbox's code ends up in the public page.
 * Returns the styles and the script of the inbox's document.
 */
export async function buildInbox(site: string) {
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
  await bundle({
    publicDir: false,
    build: {
      emptyOutDir: false,
      rolldownOptions: {
        input: join(import.meta.dirname, 'src/inbox/push/worker.ts'),
        // Always the same address: browsers look there for a newer version.
        output: { entryFileNames: workerPath.slice(1) },
      },
    },
  })
  const style = styleOf(output)
  await rm(join(site, style.fileName))
  return {
    style: `<style>${style.text}</style>`,
    // It can request data while the application is still loading.
    script: await buildFirstScript('src/inbox/first-script.ts', `/${entryOf(output)}`),
  }
}
