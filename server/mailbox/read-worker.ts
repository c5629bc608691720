import { parentPort, workerData } from 'node:worker_threads'
import { readMessage } from './read-message.ts'

// Started by `readAside`.
parentPort?.postMessage(await readMessage(workerData.source, workerData.structure))
