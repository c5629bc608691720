import { isShared } from '../../database/differences.ts'
import { isStorageError } from '../../database/storage-error.ts'
import { parseEnv } from '../../env.ts'
import { errorFacts } from '../../error-facts.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { busy } from './busy.ts'
import { createChildReader } from './child-reader.ts'
import { createReadQueue } from './read-queue.ts'
import type { Input, Output, ReadName } from './reads.ts'

// Enough for a few owners who each have a few pages open.
const MAX_WAITING = 50
const MAX_WAIT_MS = 8_000

/**
 * Runs a read without delaying visitors. Throws a Problem: `busy`, which may also mean that the database cannot be read
 * right now.
 */
export type Read = <Name extends ReadName>(
  name: Name,
  input: Input<Name>,
  signal: AbortSignal,
) => Promise<Output<Name>>

type Source = {
  run: <Name extends ReadName>(name: Name, input: Input<Name>) => Promise<Output<Name>>
  stop: () => void
}

/** Runs the inbox's reads without delaying visitors. Nothing is loaded or started before the first read. */
export function createReader(deps: Pick<InboxDeps, 'db' | 'env' | 'log'>) {
  const isPooled = isShared(deps.db)
  const enqueue = createReadQueue({
    atOnce: isPooled ? 2 : 1,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  })
  let source: Promise<Source> | undefined
  let isStopped = false

  const open = async (): Promise<Source> => {
    if (!isPooled) return createChildReader(deps)
    const { createPoolReader } = await import('./pool-reader.ts')
    return createPoolReader(parseEnv(deps.env).DATABASE_URL ?? '')
  }

  const report = (error: unknown): never => {
    if (!isStorageError(error)) throw error
    const { code, message: reason } = errorFacts(error)
    deps.log.warn({ code, reason }, 'an inbox read failed')
    throw busy('The leads cannot be read right now. Please try again in a moment.')
  }

  async function run<Name extends ReadName>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    if (isStopped) throw busy()
    source ??= open()
    return (await source).run(name, input)
  }

  const read: Read = (name, input, signal) => enqueue(() => run(name, input).catch(report), signal)

  return {
    read,
    async stop() {
      isStopped = true
      ;(await source)?.stop()
    },
  }
}
