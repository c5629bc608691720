import { isDeepStrictEqual } from 'node:util'
import type { Request } from 'express'
import { firstReplies, replyChange, savedReplies } from '#shared/inbox/saved-replies.ts'
import type { Context } from '../context.ts'
import { readNote, writeNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { readInput, send } from '../http/requests.ts'

const read = async (db: Database) => (await readNote(db, 'saved_replies')) ?? firstReplies

/** The addresses for the texts that owners keep. All owners share them. */
export const savedReplyRoutes = ({ db, write }: Pick<Context, 'db' | 'write'>) => ({
  read: send(() => read(db)),
  /** If another owner has changed the reply since, both stay. Safe to repeat. */
  save: send(({ body }: Request) => {
    const { before, after } = readInput(replyChange, body)
    const change = async (transaction: Database) => {
      const { replies } = await read(transaction)
      const indexOf = (wanted: unknown) => replies.findIndex((one) => isDeepStrictEqual(one, wanted))
      const [at = replies.length] = [before, after].map(indexOf).filter((index) => index >= 0)
      const changed = { replies: replies.toSpliced(at, 1, ...(after ? [after] : [])) }
      const saved = readInput(savedReplies, changed)
      await writeNote(transaction, 'saved_replies', saved)
      return saved
    }
    return write(change, ['saved_replies'])
  }),
})
