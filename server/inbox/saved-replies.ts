import type { Request, Response } from 'express'
import { firstReplies, type SavedReplies, savedReplies } from '#shared/inbox/saved-replies.ts'
import type { Context } from '../context.ts'
import { lockNames } from '../database/differences.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { Problem } from '../problem.ts'
import { readInput, send } from './requests.ts'

const NAME = 'saved_replies'

/** The addresses for the texts that owners keep. All owners share them. */
export const savedReplyRoutes = ({ db, write }: Pick<Context, 'db' | 'write'>) => ({
  read: send(async () => (await readNote<SavedReplies>(db, NAME)) ?? firstReplies),
  /** Throws a Problem: `conflict` if another owner has changed them since. */
  save: send(async ({ body }: Request, _response: Response) => {
    const { version, replies } = readInput(savedReplies, body)
    return write(async (transaction) => {
      await lockNames(transaction, [NAME])
      const stored = (await readNote<SavedReplies>(transaction, NAME)) ?? firstReplies
      if (stored.version !== version)
        throw new Problem(
          'conflict',
          'Another owner has just changed the saved replies. Save again to keep both changes.',
        )
      const saved: SavedReplies = { version: version + 1, replies }
      await writeNote(transaction, NAME, saved)
      return saved
    })
  }),
})
