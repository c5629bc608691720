import { addAbortListener } from 'node:events'

/**
 * Starts a timer whose signal aborts after `milliseconds`, or when `parent` aborts. Dispose of it,
 * or it keeps running.
 */
export function startDeadline(milliseconds: number, reason: string, parent: AbortSignal) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(reason)), milliseconds)
  return {
    signal: AbortSignal.any([parent, controller.signal]),
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

/** Settles like `work`, but rejects as soon as the signal aborts. */
export async function orAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>()
  using _listener = addAbortListener(signal, () => aborted.reject(signal.reason))
  return await Promise.race([work, aborted.promise])
}
