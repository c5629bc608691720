import { type AttachedFile, MAX_ATTACHED, MAX_ATTACHED_BYTES, tooManyFiles } from '#shared/inbox/files.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import { cleanFileName } from '../../files/clean-file-name.ts'
import { type ChangeDeps, conflict, lockLead, type StoredLead } from '../change/change-lead.ts'
import { bytesOf, deleteFiles, readAttached, tooLarge } from './files.ts'

const PART_BYTES = 256 * 1024
/** What an owner's unfinished answers to all leads can hold, so that nobody can fill the disk. */
const MAX_UNSENT_BYTES = 500_000_000
const HOUR_MS = 60 * 60 * 1000

/** `size`: as the client says; undefined if it doesn't. */
type Upload = {
  reference: string
  owner: string
  id: string
  name: string
  type: string
  size: number | undefined
  bytes: AsyncIterable<Buffer>
}

/** An upload that goes on. `at`: when it began. Each has its own, also those of the same file. */
type Begun = { id: string; at: string }

/**
 * Attaches a file to an owner's unfinished answer, and returns all files that this has. Each part
 * is stored by itself, and the file counts only once it is whole. An unfinished upload is replaced
 * by the next one of the same file. Safe to repeat. Throws a Problem if there is no room for the
 * file.
 */
export async function uploadFile({ write, now }: ChangeDeps, upload: Upload): Promise<AttachedFile[]> {
  const { reference, owner } = upload
  const locked = <Result>(work: (transaction: Database, lead: StoredLead) => Promise<Result>) =>
    lockLead(write, reference, work)
  const begun = await locked((transaction, lead) => begin(transaction, lead, upload, now()))
  if (begun) {
    let size = 0
    let number = 0
    for await (const bytes of inParts(upload.bytes)) {
      size += bytes.length
      if (size > MAX_ATTACHED_BYTES) throw tooLarge()
      const part = { file_id: begun.id, number: number++, bytes }
      await write(async (transaction) => {
        await requireUpload(transaction, begun)
        await transaction.insertInto('file_parts').values(part).execute()
      })
    }
    await locked((transaction, lead) => finish(transaction, lead, { owner, begun, size }))
  }
  return locked((transaction, lead) => readAttached(transaction, lead.id, owner))
}

/** Returns undefined if the file is there already. */
async function begin(
  transaction: Database,
  lead: StoredLead,
  { id, owner, name, type, size = 1 }: Upload,
  now: Date,
): Promise<Begun | undefined> {
  if (size === 0) throw new Problem('invalid_input', 'This file is empty.')
  const earlier = await transaction.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
  if (earlier && (earlier.lead_id !== lead.id || earlier.owner !== owner))
    throw conflict(lead, 'This file belongs to another answer. Please attach it again.')
  if (earlier && earlier.size !== null) return undefined
  await transaction.deleteFrom('files').where('id', '=', id).execute()
  await requireRoom(transaction, lead, owner, size)
  const { unsent } = await transaction
    .selectFrom('files')
    .select(({ fn, val }) => fn.sum(fn.coalesce('size', val(MAX_ATTACHED_BYTES))).as('unsent'))
    .where((file) => file.and({ owner, in_draft: 1 }))
    .executeTakeFirstOrThrow()
  if (Number(unsent) + size > MAX_UNSENT_BYTES)
    throw conflict(
      lead,
      'Your unfinished answers have too many files. Send or remove some, or try again in two hours.',
    )
  const at = new Date(Math.max(now.getTime(), Date.parse(earlier?.at ?? '0') + 1)).toISOString()
  await transaction
    .insertInto('files')
    .values({ id, lead_id: lead.id, owner, name: cleanFileName(name), type: cleanType(type), at })
    .execute()
  return { id, at }
}

async function requireRoom(transaction: Database, lead: StoredLead, owner: string, size: number) {
  const attached = await readAttached(transaction, lead.id, owner)
  if (attached.length >= MAX_ATTACHED) throw conflict(lead, tooManyFiles)
  if (bytesOf(attached) + size > MAX_ATTACHED_BYTES) throw tooLarge()
}

/** Throws a Problem if the upload was replaced or its file removed. */
async function requireUpload(transaction: Database, { id, at }: Begun) {
  const upload = await transaction
    .selectFrom('files')
    .select('id')
    .where((file) => file.and({ id, at }))
    .where('size', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!upload) throw new Problem('conflict', 'This file was removed or uploaded again.')
}

async function finish(
  transaction: Database,
  lead: StoredLead,
  { owner, begun, size }: { owner: string; begun: Begun; size: number },
) {
  if (size === 0) throw new Problem('invalid_input', 'This file is empty.')
  await requireUpload(transaction, begun)
  await requireRoom(transaction, lead, owner, size)
  await transaction.updateTable('files').set({ size }).where('id', '=', begun.id).execute()
}

/** Splits a stream into parts of the same size. The last one may be shorter. */
async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const part = Buffer.alloc(PART_BYTES)
  let filled = 0
  for await (const chunk of bytes)
    for (let taken = 0; taken < chunk.length; ) {
      const copied = chunk.copy(part, filled, taken)
      taken += copied
      filled += copied
      if (filled < PART_BYTES) continue
      yield part
      filled = 0
    }
  if (filled > 0) yield part.subarray(0, filled)
}

/**
 * Anything but two words could say more in the header of an email, and email programs would take
 * apart other emails.
 */
const cleanType = (type: string) =>
  /^(?!message|multipart)[\w.+-]{1,60}\/[\w.+-]{1,100}$/i.test(type)
    ? type.toLowerCase()
    : 'application/octet-stream'

/** Creates a function that deletes uploads that were not finished within an hour. */
export const createUploadCleanup =
  ({ db, now }: Pick<Context, 'db' | 'now'>) =>
  async (signal: AbortSignal): Promise<void> => {
    const inHours = (hours: number) => new Date(now().getTime() + hours * HOUR_MS).toISOString()
    const unfinished = await db
      .selectFrom('files')
      .select('id')
      .where('size', 'is', null)
      // What begins later has its time from a wrong clock.
      .where(({ or, eb }) => or([eb('at', '<', inHours(-1)), eb('at', '>', inHours(1))]))
      .execute()
    for (const { id } of unfinished) if (!signal.aborted) await deleteFiles(db, [id])
  }
