import type { Request, Response } from 'express'
import { PING_MS, streamEvents } from '#shared/inbox/api.ts'
import { officeTime } from '../../leads/office-time.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { sessionOf } from '../requests.ts'
import type { SignIn } from '../sign-in/sign-in-routes.ts'
import { createOpenStreams, openEventStream } from './event-streams.ts'
import { readNewestChanges } from './newest-changes.ts'
import { createPoll } from './poll.ts'

type Deps = Pick<InboxDeps, 'db' | 'now'> & { pingMs?: number }

/** The event stream that tells an open inbox when to fetch its data again. */
export function createLive({ db, now, pingMs = PING_MS }: Deps, signIn: Pick<SignIn, 'onEnd' | 'isAlive'>) {
  const streams = createOpenStreams()
  let isStopped = false
  const poll = createPoll({
    async read() {
      for (const session of streams.sessions())
        if (!(await signIn.isAlive(session))) streams.endSession(session)
      // The date is included because a lead returns to the open list on its follow-up day.
      return `${officeTime(now()).slice(0, 10)} ${await readNewestChanges(db)}`
    },
    isIdle: () => streams.isEmpty,
    onChange: () => streams.send(streamEvents.change),
    // Makes the pages reconnect. Until the database is readable again, reconnecting fails, so the pages know that they may
    // be out of date.
    onFailure: streams.endAll,
  })

  const refuseIfStopped = () => {
    if (isStopped) throw new Problem('storage_unavailable', 'The server is restarting.')
  }

  async function events(request: Request, response: Response) {
    if (request.method === 'HEAD') return void response.type('text/event-stream').end()
    refuseIfStopped()
    await poll.start()
    refuseIfStopped()
    if (response.closed) return
    const { id } = sessionOf(response)
    const stream = openEventStream(response, pingMs)
    streams.add(stream, id)
    const forget = signIn.onEnd(id, () => streams.endSession(id))
    stream.onClose(() => {
      streams.delete(stream)
      forget()
    })
  }

  return {
    events,
    stop() {
      isStopped = true
      poll.stop()
      streams.endAll()
    },
  }
}
