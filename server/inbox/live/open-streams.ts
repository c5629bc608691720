import type { streamEvents } from '#shared/inbox/api.ts'
import type { EventStream } from './event-stream.ts'

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
