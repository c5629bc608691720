/** Starts a timer whose signal aborts after `milliseconds`, or when `parent` aborts. Dispose of it, or it keeps running. */
export function startDeadline(milliseconds: number, reason: string, parent: AbortSignal) {
  const controller = new AbortController()
  const expire = () => controller.abort(new Error(reason))
  const onAbort = () => controller.abort(parent.reason)
  if (parent.aborted) onAbort()
  parent.addEventListener('abort', onAbort)
  let timer = setTimeout(expire, milliseconds)
  return {
    signal: controller.signal,
    restart(milliseconds: number) {
      clearTimeout(timer)
      timer = setTimeout(expire, milliseconds)
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
      parent.removeEventListener('abort', onAbort)
    },
  }
}

/** Settles like `work`, but rejects as soon as the signal aborts. In the end, removes its listener from the signal. */
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
