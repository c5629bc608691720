import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Searchable } from '#shared/search-words.ts'

/** Adds the words to each page of leads. A worker thread finds them while the caller writes the page before. */
export async function* withWords<Lead extends Searchable>(
  pages: AsyncIterable<Lead[]>,
): AsyncGenerator<[Lead[], string[]]> {
  const worker = new Worker(new URL('words-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 32 },
  })
  try {
    let ready: [Lead[], string[]] | undefined
    for await (const leads of pages) {
      worker.postMessage(leads)
      const words = once(worker, 'message')
      // Handled below, after the caller has written a page.
      words.catch(() => {})
      if (ready) yield ready
      ready = [leads, (await words)[0]]
    }
    if (ready) yield ready
  } finally {
    await worker.terminate()
  }
}
