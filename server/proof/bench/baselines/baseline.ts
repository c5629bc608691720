import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type Baseline = Awaited<ReturnType<typeof openBaseline>>

/** Starts a baseline, a minimal program to compare ours with, in a separate process, and waits until it's ready. */
export async function openBaseline(name: string, settings: object) {
  const child = fork(join(import.meta.dirname, `${name}.ts`))
  const ended = new AbortController()
  child.on('exit', () => ended.abort(new Error(`The baseline ${name} exited.`)))
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
