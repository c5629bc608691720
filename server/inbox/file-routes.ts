import type { Request, Response } from 'express'
import type { SentFile } from '../database/schema.ts'
import { Problem } from '../errors/problem.ts'
import { streamFile } from '../http/stream-file.ts'
import { createTurns } from '../http/turns.ts'
import { readStoredFile } from '../leads/answers/files.ts'
import { getLead } from '../leads/change/change-lead.ts'
import { createFetchFile } from '../mailbox/fetch-file.ts'
import type { InboxDeps } from './inbox-deps.ts'

/**
 * Files of answers that are sent at a time. Each part that is read takes milliseconds from
 * everybody, and stays in memory until the client takes it.
 */
const MAX_SENT = 6

/** Sends the files of messages and answers. Those of messages stay in the mailbox. */
export function fileRoutes(deps: InboxDeps) {
  const { db, log } = deps
  const fetchFile = createFetchFile(deps)
  const inTurn = createTurns(MAX_SENT)

  return {
    async read({ params }: Request, response: Response): Promise<void> {
      const { id: lead_id } = await getLead(db, String(params.reference))
      const [id, index] = [numberIn(params.event), numberIn(params.index)]
      const event = await db
        .selectFrom('lead_events')
        .select(['lead_id', 'who', 'key', 'received', 'files'])
        .where((row) => row.and({ id, lead_id }))
        .executeTakeFirst()
      if (event?.received) return fetchFile(event, index, (file) => streamFile(response, file, log))
      const sent: SentFile[] = JSON.parse(event?.files ?? '[]')
      const file = sent[index] && (await readStoredFile(db, lead_id, sent[index]))
      if (!file) throw new Problem('not_found', 'There is no such file.')
      await inTurn(() => streamFile(response, file, log))
    },
  }
}

/** The number in an address; -1 if it isn't one. */
const numberIn = (text: unknown) => (/^\d{1,15}$/.test(String(text)) ? Number(text) : -1)
