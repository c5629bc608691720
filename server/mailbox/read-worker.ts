import { parentPort } from 'node:worker_threads'
import { readMessage } from './read-message.ts'

// Started by `openReader`.
parentPort?.on('message', async ({ source, structure }) => {
  parentPort?.postMessage(await readMessage(source, structure))
})
