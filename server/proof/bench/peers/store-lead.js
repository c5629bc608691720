import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** Opens a database that is as durable as ours. Returns a function that stores a lead and its email in one transaction. */
export function openStore(dataDir) {
  const db = new Sqlite(join(dataDir, 'peer.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(`
    create table if not exists leads (id text primary key, created_at text, first_name text, last_name text, email text,
      phone text, company text, website text, budget text, message text);
    create table if not exists outbox (id integer primary key, lead_id text references leads (id), recipient text)`)
  const insertLead =
    db.prepare(`insert into leads values (:id, :createdAt, :firstName, :lastName, :email, :phone,
    :company, :website, :budget, :message)`)
  const insertEmail = db.prepare('insert into outbox (lead_id, recipient) values (?, ?)')
  const insertBoth = db.transaction((lead) => {
    insertLead.run(lead)
    insertEmail.run(lead.id, 'owner@example.com')
  })
  return (request) => {
    const lead = { ...request, id: randomUUID(), createdAt: new Date().toISOString() }
    insertBoth(lead)
    return lead.id
  }
}
