import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { StorageUnavailable } from '../../database/storage-error.ts'
import { startDeadline } from '../../deadline.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { lowerPriority } from './lower-priority.ts'
import { ownProcessEnv } from './own-process-env.ts'
import type { Response } from './reader-process.ts'
import type { Input, Output, ReadName } from './reads.ts'

const program = join(import.meta.dirname, 'reader-process.ts')
// The page gives up after 10 s.
const READ_MS = 8_000
const IDLE_MS = 5 * 60 * 1000

type Options = Pick<InboxDeps, 'env'> & { readMs?: number; idleMs?: number }

/**
 * Reads an SQLite database in a child process, which starts with the first read and ends when idle. Not in a worker thread:
 * nothing can interrupt SQLite there, so a read that hangs would keep the server from stopping. Run one read at a time.
 */
export function createChildReader({ env, readMs = READ_MS, idleMs = IDLE_MS }: Options) {
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): ChildProcess {
    const started = fork(program, {
      env: ownProcessEnv({ env }),
      execArgv: ['--optimize-for-size'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const forget = () => {
      if (child === started) child = undefined
    }
    // Without a listener, a failed start would end the server.
    started.on('error', forget).on('exit', forget)
    lowerPriority(started)
    return started
  }

  function kill() {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = undefined
  }

  return {
    stop() {
      stopping.abort(new Error('The server is stopping.'))
      kill()
    },
    /** The process id, while it runs. */
    pid: () => child?.pid,
    async run<Name extends ReadName>(name: Name, input: Input<Name>): Promise<Output<Name>> {
      clearTimeout(idle)
      child ??= start()
      using deadline = startDeadline(readMs, 'The read took too long.', stopping.signal)
      deadline.signal.addEventListener('abort', kill)
      try {
        return (await ask(child, { name, input }, deadline.signal)) as Output<Name>
      } finally {
        idle = setTimeout(kill, idleMs).unref()
      }
    },
  }
}

/** Throws `StorageUnavailable` if the child ends or takes too long. */
async function ask(
  child: ChildProcess,
  request: { name: ReadName; input: unknown },
  signal: AbortSignal,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const fail = (reason: unknown) => reject(new StorageUnavailable(reason))
  const onEnd = () => fail(new Error('The reading process has ended.'))
  const onAbort = () => fail(signal.reason)
  signal.addEventListener('abort', onAbort)
  child.once('message', resolve).once('exit', onEnd).once('error', fail)
  try {
    child.send(request, (error) => error && fail(error))
    const response = await promise
    if ('output' in response) return response.output
    const { message, code, isUnavailable } = response.error
    const error = Object.assign(new Error(message), { code })
    throw isUnavailable ? new StorageUnavailable(error) : error
  } finally {
    signal.removeEventListener('abort', onAbort)
    child.off('message', resolve).off('exit', onEnd).off('error', fail)
  }
}
