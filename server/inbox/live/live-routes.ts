import type { Request, Response } from 'express'
import { sql } from 'kysely'
import { PING_MS, streamEvents } from '#shared/inbox/api.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import { sessionOf } from '../../http/requests.ts'
import { leadsIn, pageOf, writingSince } from '../../leads/lists/lists.ts'
import type { InboxDeps } from '../inbox-deps.ts'

export const POLL_EVERY_MS = 500
// Over HTTP/1.1, a browser opens at most six connections to a site, and some must stay free for
// other requests.
const MAX_PER_SESSION = 4

/** The open streams, oldest first, and their sessions. */
export type Streams = Map<Response, string>
type Deps = Pick<InboxDeps, 'db' | 'now'>

/**
 * The event stream that tells an open inbox when to fetch its data again. While a stream is open,
 * the database is polled every half second: that covers changes by the command line and by other
 * replicas, and sessions that have ended.
 */
export function createLive(
  { db, now }: Deps,
  streams: Streams,
  findSession: (id: string) => Promise<unknown>,
) {
  let isStopped = false
  // What the pages of all open streams know of.
  let seen = ''
  let timer: NodeJS.Timeout | undefined

  const readState = () => readNewestChanges(db, now())

  async function poll() {
    try {
      for (const [stream, session] of streams)
        if (!(await findSession(session))) end(stream, streamEvents.end)
      const state = await readState()
      if (state !== seen) for (const stream of streams.keys()) send(stream, streamEvents.change)
      seen = state
    } catch {
      // Makes the pages reconnect. Until the database is readable again, reconnecting fails, so the
      // pages know that they may be out of date.
      endAll()
    }
    timer = undefined
    pollLater()
  }

  function pollLater() {
    if (streams.size > 0) timer ??= setTimeout(poll, POLL_EVERY_MS)
  }

  function end(stream: Response, lastEvent?: keyof typeof streamEvents) {
    streams.delete(stream)
    if (lastEvent) send(stream, lastEvent)
    stream.end()
  }

  function endAll() {
    for (const stream of streams.keys()) end(stream)
  }

  async function events(_request: Request, response: Response) {
    const { id: session } = sessionOf(response)
    const state = await readState()
    if (isStopped) throw new Problem('storage_unavailable', 'The server is restarting.')
    if (response.closed) return
    openStream(response)
    const own = [...streams.keys()].filter((stream) => streams.get(stream) === session)
    // The newest stream replaces the oldest, so that nobody is locked out.
    if (own[0] && own.length >= MAX_PER_SESSION) end(own[0])
    // The next poll tells those that are already open of changes since the last one, and this one,
    // too.
    if (streams.size === 0) seen = state
    streams.set(response, session)
    response.on('close', () => streams.delete(response))
    pollLater()
  }

  return {
    events,
    stop() {
      isStopped = true
      endAll()
      clearTimeout(timer)
    },
  }
}

/**
 * Turns the response into a stream of server-sent events. Events carry no data: the page fetches
 * what it shows.
 */
function openStream(response: Response) {
  response.set({
    'Content-Type': 'text/event-stream',
    // Tells proxies not to compress or buffer events.
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  })
  const ping = setInterval(send, PING_MS, response, streamEvents.ping)
  response.on('close', () => clearInterval(ping))
  // The first ping is sent at once, because some proxies hold back the headers until the first
  // event.
  send(response, streamEvents.ping)
}

function send(stream: Response, event: keyof typeof streamEvents) {
  if (stream.closed || stream.writableEnded) return
  // Ends the stream of a page that has stopped reading, instead of buffering events. The page opens
  // a new one later.
  if (!stream.write(`event: ${event}\ndata: {}\n\n`)) stream.destroy()
}

// PostgreSQL may commit a lower id after a higher one, so comparing only the newest id is not
// enough.
const NEWEST = 50

const newest = (table: string, id = 'id') =>
  `select '${table} ' || ${id} from (select ${id} from ${table} order by ${id} desc limit ${NEWEST}) as ${table}`

const queries = [
  "select 'sessions ' || id as change from sessions",
  "select 'passkeys ' || id || coalesce(used_at, '') from passkeys",
  "select name || value from settings where name in ('erased_at', 'saved_replies')",
  newest('leads'),
  newest('lead_events'),
  newest('outbox'),
  // Each attempt to send an email changes what the inbox shows about it.
  newest('outbox_attempts', 'rowid'),
  // An owner may attach a photo on the phone to what the computer shows.
  `select 'files ' || id || in_draft from (select id, in_draft from files where size is not null
    order by at desc limit ${NEWEST}) as files`,
]
const newestChanges = sql.raw(queries.join(' union all '))
/**
 * Who is writing an answer. It changes when somebody begins or ends, but not with each draft that
 * is saved.
 */
const writing = (now: Date) => sql`select 'writing ' || lead_id || ' ' || owner
  from (select lead_id, owner from lead_drafts where updated_at > ${writingSince(now)}
    order by updated_at desc limit ${sql.lit(NEWEST)}) as writing`

/**
 * The top of the list `open`, and what of it an owner has read. A follow-up whose time has come
 * returns its lead there, and reading stores no event.
 */
const topOfOpen = (db: Database, now: Date) =>
  pageOf(leadsIn(db, 'open', now), 'open', undefined, NEWEST).select(
    sql`'open ' || id || ' ' || read_up_to || ' ' || coalesce(seen_at, '')`.as('change'),
  )

/**
 * Returns a string that changes whenever something that an open inbox shows has changed. Reads at
 * most 50 rows of each growing table, the first 50 of the list `open`, the saved replies, and all
 * sessions and passkeys.
 */
async function readNewestChanges(db: Database, now: Date): Promise<string> {
  const { rows } = await sql<{ change: string }>`${newestChanges} union all ${writing(now)}
    union all select change from (${topOfOpen(db, now)}) as open`.execute(db)
  return rows
    .map(({ change }) => change)
    .toSorted()
    .join()
}
