import { parentPort } from 'node:worker_threads'
import { indexWords, type Searchable } from '#shared/search-words.ts'

// Finds the words of leads while the main thread writes.

parentPort?.on('message', (leads: Searchable[]) => {
  parentPort?.postMessage(leads.map((lead) => indexWords(lead).join(' ')))
})
