import type { Response } from 'express'
import { streamEvents } from '#shared/inbox/api.ts'
import { keepOpen } from '../../http/limit-connections.ts'

export type EventStream = ReturnType<typeof openEventStream>

/** Turns the response into a stream of server-sent events. Events carry no data: the page fetches what it shows. */
export function openEventStream(response: Response, pingMs: number) {
  keepOpen(response)
  response.set({
    'Content-Type': 'text/event-stream',
    // Tells proxies not to compress or buffer events.
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  })

  function send(event: keyof typeof streamEvents) {
    if (response.closed || response.writableEnded) return
    // Ends the stream of a page that has stopped reading, instead of buffering events. The page opens a new one later.
    if (!response.write(`event: ${event}\ndata: {}\n\n`)) response.destroy()
  }

  const ping = setInterval(send, pingMs, streamEvents.ping)
  response.on('close', () => clearInterval(ping))
  // The first ping is sent at once, because some proxies hold back the headers until the first event.
  send(streamEvents.ping)
  return {
    send,
    end() {
      clearInterval(ping)
      response.end()
    },
    onClose: (listener: () => void) => void response.on('close', listener),
  }
}
