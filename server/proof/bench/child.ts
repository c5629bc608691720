import { fork } from 'node:child_process'
import { once } from 'node:events'

export type Child = Awaited<ReturnType<typeof openChild>>

/** Starts a program in a separate process, sends it its settings, and waits until it's ready. */
export async function openChild(file: string, settings: object) {
  const child = fork(file)
  const ended = new AbortController()
  child.on('exit', () => ended.abort(new Error(`${file} exited.`)))
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
