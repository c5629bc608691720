import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AttachedFile, MAX_ATTACHED_BYTES } from '#shared/inbox/files.ts'
import type { Database, SentFile } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import type { MailFile } from '../../mail/mailer.ts'
import { type Change, type ChangeDeps, conflict, lockLead, type StoredLead } from '../change/change-lead.ts'

/** The files that an owner has attached to an unfinished answer, in the order of their upload. */
export async function readAttached(db: Database, leadId: string, owner: string): Promise<AttachedFile[]> {
  const files = await db
    .selectFrom('files')
    .select(['id', 'name', 'size'])
    .where((file) => file.and({ lead_id: leadId, owner, in_draft: 1 }))
    .where('size', 'is not', null)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return files.map(({ id, name, size }) => ({ id, name, size: size ?? 0 }))
}

/**
 * Takes these files out of the unfinished answer, because they go with the answer with this key.
 * Returns them in the same order. Throws a Problem if one is missing, or if they are too large.
 */
export async function takeFiles(
  transaction: Database,
  lead: StoredLead,
  { who, key, files: ids }: { who: string; key: string; files: readonly string[] },
): Promise<SentFile[]> {
  const attached = new Map((await readAttached(transaction, lead.id, who)).map((file) => [file.id, file]))
  const taken = [...new Set(ids)].map((id) => {
    const file = attached.get(id)
    if (!file) throw conflict(lead, 'A file is no longer attached. Look at the files again before you send.')
    return file
  })
  // An undone answer gives its files back to an answer that may have others.
  if (bytesOf(taken) > MAX_ATTACHED_BYTES) throw tooLarge()
  for (const { id } of taken)
    await transaction
      .updateTable('files')
      .set({ in_draft: 0, answer_key: key })
      .where('id', '=', id)
      .execute()
  return taken
}

export const bytesOf = (files: readonly AttachedFile[]): number =>
  files.reduce((sum, { size }) => sum + size, 0)

/** The error for more files than fit into an answer. */
export const tooLarge = (): Problem =>
  new Problem(
    'too_large',
    `All files of an answer together can have at most ${MAX_ATTACHED_BYTES / 1_000_000} MB.`,
  )

/**
 * Gives the files of an answer that was not sent back to the unfinished answer of an owner. If it
 * was undone, they are only there. If it has failed, its entry in the history still offers them.
 */
export const giveFilesBack = (
  transaction: Database,
  leadId: string,
  { key, owner, isUndone }: { key: string; owner: string; isUndone: boolean },
) =>
  transaction
    .updateTable('files')
    .set({ in_draft: 1, owner, ...(isUndone && { answer_key: null }) })
    .where((file) => file.and({ lead_id: leadId, answer_key: key }))
    .execute()

/**
 * Removes a file from an unfinished answer, and deletes it unless an answer was sent with it. Safe
 * to repeat. Returns the files that are left.
 */
export const removeFile = (
  { write }: Pick<ChangeDeps, 'write'>,
  { reference, who, id }: Omit<Change, 'version'> & { id: string },
): Promise<AttachedFile[]> =>
  lockLead(write, reference, async (transaction, lead) => {
    const own = { id, lead_id: lead.id, owner: who }
    const files = transaction.deleteFrom('files').where((file) => file.and(own))
    await files.where('answer_key', 'is', null).execute()
    await transaction
      .updateTable('files')
      .set({ in_draft: 0 })
      .where((file) => file.and(own))
      .execute()
    return readAttached(transaction, lead.id, who)
  })

/** Deletes files one by one: SQLite overwrites them, which takes a tenth of a second for 10 MB. */
export async function deleteFiles(db: Database, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await db.deleteFrom('files').where('id', '=', id).execute()
    await nextTurn()
  }
}

/** A file that an answer was sent with, part by part; undefined if it's gone. */
export async function readStoredFile(db: Database, leadId: string, { id, name, size }: SentFile) {
  // It may have been removed after an undo.
  const files = db.selectFrom('files').select('id').where('id', '=', id).where('lead_id', '=', leadId)
  const stored = await files.executeTakeFirst()
  return stored && { name, size, bytes: readParts(db, { id, size }) }
}

/** The files of an answer, in the same order. Throws if one is gone: then nothing may be sent. */
export async function readFilesToSend(db: Database, sent: readonly SentFile[]): Promise<MailFile[]> {
  const files: MailFile[] = []
  for (const { id, name, size } of sent) {
    const { type } = await db
      .selectFrom('files')
      .select('type')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    files.push({ name, type, size, open: () => readParts(db, { id, size }) })
  }
  return files
}

/** Reads a file, one part at a time. Throws if the file is not whole. */
export async function* readParts(
  db: Database,
  { id, size }: Pick<SentFile, 'id' | 'size'>,
): AsyncGenerator<Buffer> {
  let left = size
  for (let number = 0; left > 0; number++) {
    const part = await db
      .selectFrom('file_parts')
      .select('bytes')
      .where((row) => row.and({ file_id: id, number }))
      .executeTakeFirst()
    if (!part) throw new Error(`Part ${number} of file ${id} is missing.`)
    left -= part.bytes.length
    yield part.bytes
  }
}
