import { join } from 'node:path'
import { build, type InlineConfig, type Rolldown } from 'vite'

type Output = Rolldown.RolldownOutput['output']

/** Runs Vite with these options in addition to vite.config.ts. */
export async function bundle(options: InlineConfig): Promise<Output> {
  const result = await build({ root: import.meta.dirname, logLevel: 'warn', ...options })
  return (result as Rolldown.RolldownOutput).output
}

/** The name of the script that a page loads. */
export function entryOf(output: Output): string {
  const application = output.find((part) => part.type === 'chunk' && part.isEntry)
  if (!application) throw new Error('The build produced no script.')
  return application.fileName
}

/** A build's only style sheet. */
export function styleOf(output: Output) {
  const style = output.find((part) => part.type === 'asset' && part.fileName.endsWith('.css'))
  if (style?.type !== 'asset') throw new Error('The build produced no style sheet.')
  return { fileName: style.fileName, text: String(style.source).trim() }
}

/** Builds a script that is inlined in a document, and that later imports the application. */
export async function buildFirstScript(file: string, application: string): Promise<string> {
  const output = await bundle({
    publicDir: false,
    define: { APPLICATION: JSON.stringify(application) },
    build: {
      write: false,
      rolldownOptions: { input: join(import.meta.dirname, file), external: [application] },
    },
  })
  // If the build also emits a style sheet, ignore it: the application's already includes this script's styles.
  const [script, ...others] = output.filter((part) => part.type === 'chunk')
  if (!script || others.length > 0)
    throw new Error(`${file} is inlined in a document, so it must build to a single file.`)
  return `<script type="module">${script.code.trim()}</script>`
}
