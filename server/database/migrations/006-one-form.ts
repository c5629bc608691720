import { type Kysely, sql } from 'kysely'

/** Brings what earlier versions have stored into its form of today. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await forgetSenders(db)
}

/** Notes of messages that could not be read named their senders, which no erasure would find now. */
async function forgetSenders(db: Kysely<unknown>): Promise<void> {
  const asides = await sql<{ name: string; value: string }>`
    select name, value from settings where name like 'mailbox_aside_%'`.execute(db)
  for (const { name, value } of asides.rows) {
    const note = JSON.parse(value)
    for (const message of note.messages) {
      delete message.from
      delete message.dueAt
    }
    await sql`update settings set value = ${JSON.stringify(note)} where name = ${name}`.execute(db)
  }
}
