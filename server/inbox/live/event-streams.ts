import type { Response } from 'express'
import { streamEvents } from '#shared/inbox/api.ts'
import { keepOpen } from '../../http/limit-connections.ts'

type EventStream = ReturnType<typeof openEventStream>

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

// Over HTTP/1.1, a browser opens at most six connections to a site, and some must stay free for other requests.
const MAX_PER_SESSION = 4
// The server keeps at most a thousand connections. To make room for a new one, it closes another, but never a stream, so
// there must not be too many streams.
const MAX_STREAMS = 100

/** The open streams. Once a limit is reached, each new stream ends the oldest one, so that nobody is locked out. */
export function createOpenStreams() {
  // Oldest first.
  const open = new Map<EventStream, string>()
  const endFirst = (streams: EventStream[]) => {
    const [oldest] = streams
    if (!oldest) return
    open.delete(oldest)
    oldest.end()
  }
  const streamsOf = (session: string) => [...open.keys()].filter((stream) => open.get(stream) === session)

  return {
    add(stream: EventStream, session: string) {
      const own = streamsOf(session)
      if (own.length === MAX_PER_SESSION) endFirst(own)
      else if (open.size === MAX_STREAMS) endFirst([...open.keys()])
      open.set(stream, session)
    },
    delete: (stream: EventStream) => open.delete(stream),
    get isEmpty() {
      return open.size === 0
    },
    sessions: () => [...new Set(open.values())],
    send(event: keyof typeof streamEvents) {
      for (const stream of open.keys()) stream.send(event)
    },
    endSession(session: string) {
      for (const stream of streamsOf(session)) {
        stream.send('end')
        stream.end()
      }
    },
    endAll() {
      for (const stream of open.keys()) stream.end()
    },
  }
}
