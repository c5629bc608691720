import { build, type InlineConfig, type Rolldown } from 'vite'

type Output = Rolldown.RolldownOutput['output']

/** Runs Vite with these options in addition to vite.config.ts. */
export async function bundle(options: InlineConfig): Promise<Output> {
  const result = await build({ root: import.meta.dirname, logLevel: 'warn', ...options })
  return (result as Rolldown.RolldownOutput).output
}

function chunkOf(output: Output, entry: string) {
  const chunk = output.find((part) => part.type === 'chunk' && part.isEntry && part.name === entry)
  if (chunk?.type !== 'chunk') throw new Error(`The build produced no script ${entry}.`)
  return chunk
}

/** A build's only style sheet. */
export function styleOf(output: Output) {
  const style = output.find((part) => part.type === 'asset' && part.fileName.endsWith('.css'))
  if (style?.type !== 'asset') throw new Error('The build produced no style sheet.')
  // Vite leaves a mark of its own at the end of some.
  const text = String(style.source)
    .replace(/\/\*\$vite\$:\d+\*\/\s*$/, '')
    .trim()
  return { fileName: style.fileName, text }
}

type First = { script: string; view?: string }

/**
 * Builds what is inlined in a document: a script that later imports this application, and the
 * styles of what the file `view` exports.
 */
export async function buildFirst(application: Output, files: First) {
  const address = `/${chunkOf(application, 'main').fileName}`
  const output = await bundle({
    publicDir: false,
    define: { APPLICATION: JSON.stringify(address) },
    build: {
      write: false,
      rolldownOptions: {
        input: files,
        external: [address],
        // Otherwise, what `view` exports would be left out, with its styles.
        preserveEntrySignatures: 'strict',
      },
    },
  })
  const script = chunkOf(output, 'script')
  if (script.imports.length > 0)
    throw new Error(`${files.script} is inlined in a document, so it must build to a single file.`)
  return {
    script: `<script type="module">${script.code.trim()}</script>`,
    // Without a view, the application's style sheet includes the styles of the script.
    style: files.view ? styleOf(output).text : '',
  }
}
