import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabaseFile } from '../../database/sqlite.ts'
import { enqueue } from '../../outbox/enqueue.ts'
import { newDataDir } from '../testing/start-program.ts'
import { storeLead } from '../testing/store-lead.ts'

/** The bytes of a `leads.db` with one lead whose email is waiting. */
export async function sampleDatabase(reference: string): Promise<Buffer> {
  using folder = newDataDir()
  const file = join(folder.path, 'leads.db')
  const db = await createDatabaseFile(file)
  const { id } = await storeLead(db, { id: '019b8d00-0000-7000-8000-000000000000', reference })
  const notice = {
    leadId: id,
    kind: 'owner_notice',
    recipient: 'owner@agency.example',
    messageId: '<earlier@agency.example>',
  } as const
  await enqueue(db, [notice], new Date())
  await db.destroy()
  return readFileSync(file)
}
