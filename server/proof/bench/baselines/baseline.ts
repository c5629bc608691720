import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

/**
 * Starts a baseline (a program that we compare ours with) in a separate process, and waits until
 * it's ready. `file` is relative to this folder.
 */
export async function openBaseline(file: string, settings: object, env: Record<string, string> = {}) {
  const child = fork(resolve(import.meta.dirname, file), { env: { ...process.env, ...env } })
  const ended = new AbortController()
  child.on('exit', () => ended.abort(new Error(`The baseline ${file} exited.`)))
  const ask = async (question: object) => {
    child.send(question)
    const [answer] = await once(child, 'message', { signal: ended.signal })
    return answer
  }
  return {
    ready: await ask(settings),
    ask,
    async [Symbol.asyncDispose]() {
      if (ended.signal.aborted) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
