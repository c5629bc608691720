import { waitUntil } from './wait-until.ts'

export type EventReader = ReturnType<typeof readEvents>

/** Reads server-sent events until the stream ends. */
export function readEvents(response: Response) {
  const events: string[] = []
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader()
  const closed = (async () => {
    for (let rest = ''; ; ) {
      const { done, value } = await reader.read()
      if (done) return
      const parts = (rest + value).split('\n\n')
      rest = parts.pop() ?? ''
      events.push(...parts.map((part) => part.match(/^event: (\w+)\ndata: {}$/)?.[1] ?? `broken: ${part}`))
    }
  })().catch(() => {})
  return {
    events,
    closed,
    /** Waits until at least one event of this name has arrived. Resolves to how many milliseconds that took. */
    next: (event: string) => waitUntil(`a ${event} event`, () => events.includes(event), 5000),
    cancel: () => reader.cancel(),
  }
}
