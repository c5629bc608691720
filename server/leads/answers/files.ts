import type { AttachedFile } from '#shared/inbox/files.ts'
import type { Database } from '../../database/schema.ts'

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

/** A file that an answer was sent with: the one with this index. */
export async function readStoredFile(
  _db: Database,
  _leadId: string,
  _event: number,
  _index: number,
): Promise<{ name: string; size: number; bytes: AsyncIterable<Uint8Array> } | undefined> {
  return undefined
}
