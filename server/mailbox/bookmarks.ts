import type { Context } from '../context.ts'
import { type Bookmark, readNote, type SetAside, writeNote } from '../database/notes.ts'
import type { Open } from './open-folder.ts'
import type { OpenedFolder } from './read-worker.ts'

const MINUTE_MS = 60 * 1000
// If the mailbox was replaced, what came up to these days before it was last read is looked at
// again. Each message is stored only once.
const LOOK_BACK_MS = 7 * 24 * 60 * MINUTE_MS
// Some mail servers show a sent message only after its answer.
const SENT_LAG_MS = 10 * MINUTE_MS

/** Whether a message is from before a mailbox was replaced, by the date that its sender wrote. */
export const isFromBefore = ({ copied }: Bookmark, { uid, date = '' }: Pick<SetAside, 'uid' | 'date'>) =>
  copied !== undefined && uid <= copied.upTo && Date.parse(date) < Date.parse(copied.before)

export type Bookmarks = ReturnType<typeof createBookmarks>

/**
 * Creates functions that remember in the database how far the folders of the mailbox have been
 * read.
 */
export function createBookmarks({ db, write, now, imapUrl }: Context & { imapUrl: string }) {
  /** Where to go on reading. What was in the mailbox before it was first watched isn't read. */
  async function find({ reader, name, isKnown }: Open, opened: OpenedFolder): Promise<Bookmark> {
    const { username, host } = new URL(imapUrl)
    // With the account, because some services, such as Gmail, use the same UIDVALIDITY for all of
    // them.
    const of = `${username}@${host} ${opened.path} ${opened.validity}`
    const noted = await readNote(db, `mailbox_${name}`)
    if (noted?.of === of) return { settled: noted.uid, ...noted }
    const readAt = Date.parse((await readNote(db, 'mailbox_read_at')) ?? now().toISOString())
    const since = new Date(Math.min(readAt, now().getTime()) - LOOK_BACK_MS)
    const isOld = noted !== undefined || isKnown
    const [first = opened.next] = isOld ? await reader.ask('find', { since }) : []
    const copied = { upTo: opened.next - 1, before: since.toISOString() }
    const mark = { of, uid: first - 1, settled: first - 1, ...(isOld && { copied }) }
    await writeNote(db, `mailbox_${name}`, mark)
    return mark
  }

  async function move(open: Open, uid: number): Promise<void> {
    if (uid <= open.mark.uid) return
    open.mark = { ...open.mark, uid }
    // So that it shares the flush of a message or request.
    await write((transaction) => writeNote(transaction, `mailbox_${open.name}`, open.mark))
  }

  /**
   * If an owner's email was found, looks again at what came to the inbox before: it may answer that
   * email, or report that it could not be delivered. Until then, it belonged to nothing.
   */
  async function goBack(open: Open): Promise<void> {
    if (!(await readNote(db, 'mailbox_look_again'))) return
    const { uid, settled = uid } = open.mark
    open.mark = { ...open.mark, uid: Math.min(uid, settled) }
    await write(async (transaction) => {
      await writeNote(transaction, 'mailbox_inbox', open.mark)
      await writeNote(transaction, 'mailbox_look_again', false)
    })
  }

  /** Not while something in the folder of sent messages can't be read, however long that takes. */
  function settle(open: Open, knownAt: number): void {
    const { read, mark } = open
    if (knownAt - read.at < SENT_LAG_MS) return
    open.mark = { ...mark, settled: read.uid }
    open.read = { uid: mark.uid, at: now().getTime() }
  }

  return { find, move, goBack, settle, lookAgain: () => writeNote(db, 'mailbox_look_again', true) }
}
