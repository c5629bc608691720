import type { Bookmark } from '../database/notes.ts'
import type { ArrivedIn } from '../database/schema.ts'
import type { Folder } from './imap.ts'
import type { Reader } from './open-reader.ts'

/**
 * A folder that is being read. `name`: of the notes about it. `arrivedIn`: where a notice in
 * it has arrived, if that is sure. `isKnown`: the mailbox was read before, so that what is in a new
 * folder is new, too. `read`: when everything up to this message
 * had been read, some time ago. `oneByOneUntil`: a batch up to this message could not be read as a
 * whole. `failedLists`: how many lists of parts have failed since all was read.
 */
export type Open = {
  folder: Folder
  path: string
  arrivedIn: ArrivedIn | undefined
  name: string
  isKnown: boolean
  reader: Reader
  sent: Rounds
  ending: AbortSignal
  mark: Bookmark
  read: { uid: number; at: number }
  oneByOneUntil: number
  failedLists: number
}
/**
 * How often the folder of sent messages was looked through. `isRead`: false if it's missing, or
 * can't be read. `knownAt`: everything that was in it at this time has been read.
 */
export type Rounds = {
  isRead: boolean
  begun: number
  ended: number
  knownAt: number
  wake: () => void
}

/**
 * One message could not be read, and was noted, or has ended the connection. The next connection
 * goes on behind it.
 */
export class Passed extends Error {}
