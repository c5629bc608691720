/**
 * A signal that aborts after this many milliseconds. Disposing of it clears its timer; with `AbortSignal.timeout`, the
 * timers of sent emails would pile up.
 */
export function startDeadline(milliseconds: number, reason: string) {
  const controller = new AbortController()
  const end = () => controller.abort(new Error(reason))
  let timer = setTimeout(end, milliseconds)
  return {
    signal: controller.signal,
    /** Aborts with the other signal, until disposed of. */
    follow(other: AbortSignal) {
      const onAbort = () => controller.abort(other.reason)
      if (other.aborted) onAbort()
      other.addEventListener('abort', onAbort)
      return { [Symbol.dispose]: () => other.removeEventListener('abort', onAbort) }
    },
    restart(next: number) {
      clearTimeout(timer)
      timer = setTimeout(end, next)
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

/** Settles like `work`, or rejects with the signal's reason as soon as it aborts. Leaves no listener behind. */
export async function orAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
