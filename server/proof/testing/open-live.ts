import express from 'express'
import { pino } from 'pino'
import type { Database } from '../../database/schema.ts'
import { errorHandler } from '../../http/error-handler.ts'
import { openPort } from '../../http/open-port.ts'
import type { InboxDeps } from '../../inbox/inbox-deps.ts'
import { createLive } from '../../inbox/live/live-routes.ts'
import { setSession } from '../../inbox/requests.ts'
import { createSessions } from '../../inbox/sign-in/sessions.ts'
import { waitUntil } from './wait-until.ts'

const sessionRow = (id: string) => ({
  id,
  owner: 'owner@agency.example',
  browser: 'Firefox on Linux',
  signed_in_at: '2026-03-02T15:00:00.000Z',
  seen_at: '2026-03-02T15:00:00.000Z',
})

type Options = Partial<{ pingMs: number; now: () => Date }>

/** Serves the event stream on a real server. The `x-session` header of a request is the ID of its session. */
export async function openLive(db: Database, options: Options = {}) {
  const { owner, seen_at } = sessionRow('')
  const now = options.now ?? (() => new Date(seen_at))
  const live = createLive(
    { db, now, ...(options.pingMs && { pingMs: options.pingMs }) },
    new Map(),
    createSessions({ db, now, siteUrl: '', env: { MAIL_TO: [owner] } } as unknown as InboxDeps).find,
  )
  const app = express()
    .use((request, response, next) => {
      setSession(response, sessionRow(String(request.headers['x-session'])))
      next()
    })
    .get('/events', live.events)
    .get('/', (_request, response) => void response.end())
    .use(errorHandler(pino({ enabled: false }), ''))
  const port = await openPort({ PORT: 0, HOST: '127.0.0.1' })
  port.serve(app)
  return {
    stop: live.stop,
    open: (session: string) => openStream(db, `http://127.0.0.1:${port.number}/events`, session),
    async [Symbol.asyncDispose]() {
      live.stop()
      await port.stop()
    },
  }
}

async function openStream(db: Database, url: string, session: string) {
  await db
    .insertInto('sessions')
    .values(sessionRow(session))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const response = await fetch(url, { headers: { 'X-Session': session } })
  return { status: response.status, headers: response.headers, ...readEvents(response) }
}

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
