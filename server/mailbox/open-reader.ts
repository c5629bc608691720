import { addAbortListener } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Tokens, withToken } from '../mail/oauth.ts'
import { DEADLINES_MS, MAX_MEGABYTES } from './limits.ts'
import type { Calls } from './read-worker.ts'

export type Reader = ReturnType<typeof openReader>
type Failure = { message: string; code?: string | number }
type FromWorker = {
  event?: 'news' | 'fetched'
  id?: number
  result?: never
  failure?: Failure
  isOpen?: boolean
}

/** Why a call failed. `isFetched`: the message was fetched, but can't be read within the limits. */
export class ReadFailure extends Error {
  readonly isFetched: boolean
  readonly code: string | number | undefined

  constructor({ message, code }: Failure, isFetched = false) {
    super(message)
    this.code = code
    this.isFetched = isFetched
  }
}

/**
 * Opens a reader for folders of the mailbox, in a thread of its own: anybody can send a message
 * that takes seconds to read, or more memory than the server has. Such a thread is ended, and the
 * next `connect` starts another. `ending` ends it, too.
 */
export function openReader(imapUrl: string, tokens: Tokens | undefined, ending: AbortSignal) {
  const waiting = new Map<number, (answer: FromWorker) => void>()
  let worker: Worker | undefined
  let calls = 0
  let isFetched = false
  let isOpen = false
  let news = Promise.withResolvers<void>()

  function hear({ event, id = 0, ...answer }: FromWorker) {
    if (event === 'fetched') isFetched = true
    else if (event) news.resolve()
    else waiting.get(id)?.(answer)
  }

  function start() {
    const started = new Worker(new URL('read-worker.ts', import.meta.url), {
      workerData: { imapUrl },
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES, maxYoungGenerationSizeMb: 4 },
    })
    started.on('message', hear).on('exit', () => {
      if (worker === started) worker = undefined
      for (const answer of waiting.values())
        answer({ failure: { message: 'Reading was stopped: it took too much memory, or the server stops.' } })
      news.resolve()
    })
    // It ran out of memory, perhaps while it was being ended.
    return started.on('error', () => {})
  }

  async function close() {
    await worker?.terminate()
    worker = undefined
  }

  /** Calls a function of the thread. Rejects with a `ReadFailure`. */
  async function ask<Name extends keyof Calls>(
    call: Name,
    ...[input]: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>> {
    if (call === 'connect') worker ??= start()
    if (!worker) throw new ReadFailure({ message: 'The connection was closed.' })
    isFetched = false
    const id = ++calls
    const { promise, resolve } = Promise.withResolvers<FromWorker>()
    waiting.set(id, resolve)
    const timer = setTimeout(
      () => resolve({ failure: { message: 'The mail server did not answer in time.', code: 'LATE' } }),
      DEADLINES_MS[call],
    )
    worker.postMessage({ id, call, input })
    const { failure, result, ...answer } = await promise
    isOpen = answer.isOpen ?? false
    clearTimeout(timer)
    waiting.delete(id)
    if (failure?.code === 'LATE') await close()
    if (failure) throw new ReadFailure(failure, call === 'read' && isFetched)
    return result as never
  }

  const listener = addAbortListener(ending, () => void close())

  return {
    ask,
    connect: () => withToken(imapUrl, tokens, (token) => ask('connect', token)),
    /** Whether the connection still worked after the last call. */
    isOpen: () => isOpen,
    /** Resolves when a message may have come, the connection was closed, or after this time. */
    async news(withinMs: number) {
      const heard = new AbortController()
      await Promise.race([news.promise, sleep(withinMs, undefined, { signal: heard.signal }).catch(() => {})])
      heard.abort()
      news = Promise.withResolvers()
    },
    /** Ends such waiting. */
    wake: () => news.resolve(),
    async [Symbol.asyncDispose]() {
      listener[Symbol.dispose]()
      await close()
    },
  }
}
