import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { StorageUnavailable } from '../../database/storage-error.ts'
import { orAbort, startDeadline } from '../../deadline.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { lowerPriority } from './lower-priority.ts'
import type { ReadResponse } from './reader-process.ts'
import type { Input, Output, ReadName } from './reads.ts'

// This is less than the 10 s after which the page gives up.
const READ_MS = 8_000
const START_MS = 60_000
const IDLE_MS = 5 * 60 * 1000

type Options = Pick<InboxDeps, 'env'> & { readMs?: number; idleMs?: number }
type Child = { process: ChildProcess; ready: Promise<unknown> }

/**
 * Reads an SQLite database in a child process, which starts with the first read and ends when idle. A worker thread wouldn't
 * do: nothing could interrupt SQLite there, so a read that hangs would keep the server from stopping. Callers must run only
 * one read at a time.
 */
export function createChildReader({ env, readMs = READ_MS, idleMs = IDLE_MS }: Options) {
  const stopping = new AbortController()
  let child: Child | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): Child {
    const started = fork(join(import.meta.dirname, 'reader-process.ts'), {
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    lowerPriority(started)
    const forget = () => {
      if (child?.process === started) child = undefined
    }
    // Without an error listener, a failed start would crash the server.
    started.on('exit', forget).on('error', forget)
    return { process: started, ready: isReady(started, stopping.signal) }
  }

  function kill() {
    clearTimeout(idle)
    child?.process.kill('SIGKILL')
    child = undefined
  }

  return {
    stop() {
      stopping.abort(new Error('The server is stopping.'))
      kill()
    },
    /** The process id; undefined if no process is running. */
    pid: () => child?.process.pid,
    async run<Name extends ReadName>(name: Name, input: Input<Name>): Promise<Output<Name>> {
      clearTimeout(idle)
      child ??= start()
      const { process, ready } = child
      using deadline = startDeadline(readMs, 'The read took too long.', stopping.signal)
      try {
        // On a busy machine, this read may time out before the process is ready. The process is kept for the next read.
        await orAbort(ready, deadline.signal)
        deadline.signal.addEventListener('abort', kill)
        const response = nextResponse(process, deadline.signal)
        process.send({ name, input }, (error) => error && process.emit('error', error))
        return (await response) as Output<Name>
      } catch (error) {
        throw deadline.signal.aborted ? new StorageUnavailable(deadline.signal.reason) : error
      } finally {
        idle = setTimeout(kill, idleMs).unref()
      }
    },
  }
}

async function isReady(child: ChildProcess, parent: AbortSignal) {
  using deadline = startDeadline(START_MS, 'The reader process did not start.', parent)
  try {
    return await nextResponse(child, deadline.signal)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

/**
 * The next response from the process. Throws `StorageUnavailable` if the process ends first or cannot use the database.
 */
async function nextResponse(child: ChildProcess, signal: AbortSignal): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadResponse>()
  const fail = (reason: unknown) => reject(new StorageUnavailable(reason))
  const onExit = () => fail(new Error('The reader process has ended.'))
  child.once('message', resolve).once('exit', onExit).once('error', fail)
  try {
    const response = await orAbort(promise, signal)
    if ('output' in response) return response.output
    const { message, code, isUnavailable } = response.error
    const error = Object.assign(new Error(message), { code })
    throw isUnavailable ? new StorageUnavailable(error) : error
  } finally {
    child.off('message', resolve).off('exit', onExit).off('error', fail)
  }
}
