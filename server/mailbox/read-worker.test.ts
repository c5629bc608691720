import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

test('the thread that reads messages starts without zod, which would be a quarter of its modules', async () => {
  const code = `
    const { registerHooks } = require('node:module')
    const { parentPort } = require('node:worker_threads')
    const loaded = []
    const load = (url, context, next) => {
      loaded.push(url)
      return next(url, context)
    }
    registerHooks({ load })
    import('${new URL('read-worker.ts', import.meta.url)}').then(() => parentPort.postMessage(loaded))`
  const worker = new Worker(code, { eval: true, workerData: { imapUrl: '' } })
  const [loaded] = await once(worker, 'message')
  await worker.terminate()
  expect(loaded).toContainEqual(expect.stringContaining('/imapflow/'))
  expect(loaded).not.toContainEqual(expect.stringContaining('/zod/'))
})
