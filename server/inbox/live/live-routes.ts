import type { Request, Response } from 'express'
import { PING_MS, streamEvents } from '#shared/inbox/api.ts'
import { StorageUnavailable } from '../../database/storage-error.ts'
import { orAbort } from '../../deadline.ts'
import { officeTime } from '../../leads/office-time.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { sessionOf } from '../requests.ts'
import { readNewestChanges } from './newest-changes.ts'

export const POLL_EVERY_MS = 500
// A read that takes longer counts as failed: otherwise, the pages would go on believing that nothing has changed.
const PATIENCE_MS = 3_000
// Over HTTP/1.1, a browser opens at most six connections to a site, and some must stay free for other requests.
const MAX_PER_SESSION = 4
// The server keeps at most a thousand connections. To make room for a new one, it closes another, but never a stream, so
// there must not be too many streams.
const MAX_STREAMS = 100

type Deps = Pick<InboxDeps, 'db' | 'now'> & { pingMs?: number }
type SignIn = {
  /** The open streams, each with the id of its session, oldest first. */
  streams: Map<Response, string>
  isAlive: (session: string) => Promise<boolean>
}

/**
 * The event stream that tells an open inbox when to fetch its data again. While a stream is open, the database is polled
 * every half second: that covers changes by the command line and by other replicas, and sessions that have ended.
 */
export function createLive({ db, now, pingMs = PING_MS }: Deps, { streams, isAlive }: SignIn) {
  let isStopped = false
  // What the latest poll has found; undefined while nobody listens.
  let latest: Promise<string> | undefined
  let timer: NodeJS.Timeout | undefined

  async function read() {
    for (const session of new Set(streams.values()))
      if (!(await isAlive(session))) for (const stream of streamsOf(session)) end(stream, streamEvents.end)
    // The date is included because a lead returns to the open list on its follow-up day.
    return `${officeTime(now()).slice(0, 10)} ${await readNewestChanges(db)}`
  }

  async function poll() {
    if (streams.size === 0 || isStopped) {
      latest = undefined
      return
    }
    try {
      const before = await latest
      const found = await inTime(read())
      latest = Promise.resolve(found)
      if (found !== before) for (const stream of streams.keys()) send(stream, streamEvents.change)
      timer = setTimeout(poll, POLL_EVERY_MS)
    } catch {
      // Makes the pages reconnect. Until the database is readable again, reconnecting fails, so the pages know that they may
      // be out of date.
      latest = undefined
      endAll()
    }
  }

  /** Resolves once polling has begun: from then on, every change is noticed. Rejects if the database cannot be read. */
  async function startPolling() {
    if (latest) return void (await latest)
    latest = inTime(read())
    try {
      await latest
      timer = setTimeout(poll, POLL_EVERY_MS)
    } catch (error) {
      latest = undefined
      throw error
    }
  }

  const streamsOf = (session: string) =>
    [...streams.keys()].filter((stream) => streams.get(stream) === session)

  /** Once a limit is reached, each new stream ends the oldest one, so that nobody is locked out. */
  function makeRoom(session: string) {
    const own = streamsOf(session)
    const [oldest] = own.length < MAX_PER_SESSION ? streams.keys() : own
    if (oldest && (own.length >= MAX_PER_SESSION || streams.size >= MAX_STREAMS)) end(oldest)
  }

  function end(stream: Response, lastEvent?: keyof typeof streamEvents) {
    streams.delete(stream)
    if (lastEvent) send(stream, lastEvent)
    stream.end()
  }

  function endAll() {
    for (const stream of streams.keys()) end(stream)
  }

  const refuseIfStopped = () => {
    if (isStopped) throw new Problem('storage_unavailable', 'The server is restarting.')
  }

  async function events(request: Request, response: Response) {
    if (request.method === 'HEAD') return void response.type('text/event-stream').end()
    refuseIfStopped()
    await startPolling()
    refuseIfStopped()
    if (response.closed) return
    openStream(response, pingMs)
    const { id } = sessionOf(response)
    makeRoom(id)
    streams.set(response, id)
    response.on('close', () => streams.delete(response))
  }

  return {
    events,
    stop() {
      isStopped = true
      clearTimeout(timer)
      endAll()
    },
  }
}

/** Turns the response into a stream of server-sent events. Events carry no data: the page fetches what it shows. */
function openStream(response: Response, pingMs: number) {
  response.set({
    'Content-Type': 'text/event-stream',
    // Tells proxies not to compress or buffer events.
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  })
  const ping = setInterval(send, pingMs, response, streamEvents.ping)
  response.on('close', () => clearInterval(ping))
  // The first ping is sent at once, because some proxies hold back the headers until the first event.
  send(response, streamEvents.ping)
}

function send(stream: Response, event: keyof typeof streamEvents) {
  if (stream.closed || stream.writableEnded) return
  // Ends the stream of a page that has stopped reading, instead of buffering events. The page opens a new one later.
  if (!stream.write(`event: ${event}\ndata: {}\n\n`)) stream.destroy()
}

const inTime = <Result>(work: Promise<Result>): Promise<Result> =>
  orAbort(work, AbortSignal.timeout(PATIENCE_MS)).catch((error: unknown) => {
    throw new StorageUnavailable(error)
  })
