import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Database } from '../../database/schema.ts'
import { limitConnections } from '../../http/limit-connections.ts'
import { createLive } from '../../inbox/live/live-routes.ts'
import { setSession } from '../../inbox/requests.ts'
import { createSessions } from '../../inbox/sign-in/sessions.ts'
import { readEvents } from './read-events.ts'

const sessionRow = (id: string) => ({
  id,
  owner: 'owner@agency.example',
  browser: 'Firefox on Linux',
  created_at: '2026-03-02T15:00:00.000Z',
  signed_in_at: '2026-03-02T15:00:00.000Z',
  seen_at: '2026-03-02T15:00:00.000Z',
})

type Options = Partial<{ pingMs: number; responseTimeoutMs: number; maxConnections: number; now: () => Date }>

/** Serves the event stream on a real server. The `x-session` header of a request is the ID of its session. */
export async function openLive(db: Database, options: Options = {}) {
  const ended = new Map<string, () => void>()
  const { owner, seen_at } = sessionRow('')
  const now = options.now ?? (() => new Date(seen_at))
  const live = createLive(
    { db, now, ...(options.pingMs && { pingMs: options.pingMs }) },
    {
      isAlive: createSessions({ db, now, mailTo: [owner] }).isAlive,
      onEnd(session, listener) {
        ended.set(session, listener)
        return () => ended.delete(session)
      },
    },
  )
  const app = express()
    .use((request, response, next) => {
      setSession(response, sessionRow(String(request.headers['x-session'])))
      next()
    })
    .get('/events', live.events)
    .get('/', (_request, response) => void response.end())
  const server = createServer({ keepAliveTimeout: 60_000 })
  const limits = { maxConnections: 1000, responseTimeoutMs: 60_000, trustProxy: 0, ...options }
  server.on('request', limitConnections(server, limits)(app)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    stop: live.stop,
    end: (session: string) => ended.get(session)?.(),
    listeners: ended,
    open: (session: string) => openStream(db, `http://127.0.0.1:${port}/events`, session),
    async [Symbol.asyncDispose]() {
      live.stop()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
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
