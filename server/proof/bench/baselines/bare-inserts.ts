import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openDatabase } from '../../../database/sqlite.ts'

/**
 * Does the least work that can store leads: two inserts and an fsync for each, one transaction
 * after another.
 */
process.once('message', async ({ dataDir }: { dataDir: string }) => {
  await (await openDatabase(dataDir)).destroy()
  const db = new Sqlite(join(dataDir, 'leads.db'))
  db.pragma('synchronous = FULL')
  const insertLead =
    db.prepare(`insert into leads (id, reference, created_at, first_name, last_name, email, phone,
    company, website, budget, message, content_hash, spam_score, spam_reasons, source, due_at, sort_key)
    values (?, ?, ?, 'Ada', 'Lovelace', 'ada@example.com', '(312) 555-0199', 'Analytical Roofing',
    'https://analytical.example', 'professional', ?, ?, 0, '[]', '{}', '', '')`)
  const insertMail =
    db.prepare(`insert into outbox (lead_id, kind, recipient, priority, queued_at, due_at, message_id)
    values (?, 'owner_notice', 'owner@example.com', 0, ?, ?, ?)`)
  const insertBoth = db.transaction(() => {
    const [id, at, hash] = [randomUUIDv7(), new Date().toISOString(), randomBytes(32).toString('hex')]
    insertLead.run(id, `Q-${hash.slice(0, 16)}`, at, `${id} is what we would like to build.`, hash)
    insertMail.run(id, at, at, `<${id}.0@example.com>`)
  })

  process.on('message', ({ amount }: { amount: number }) => {
    const startedAt = performance.now()
    for (let count = 0; count < amount; count++) insertBoth()
    process.send?.({ rate: (amount * 1000) / (performance.now() - startedAt) })
  })
  process.send?.({})
})
