import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openDatabase } from '../../database/open-database.ts'
import { newDataDir } from './start-program.ts'

/**
 * The state of the emails: `sent` except one in ten thousand, `waiting` for a retry as during an outage, `due` as after
 * an outage, or `suspects`: due and about suspected spam, as after a flood.
 */
type Emails = 'sent' | 'waiting' | 'due' | 'suspects'

const states: Record<Emails, string> = {
  sent: "iif(rowid % 10000 = 0, 'failed', 'sent'), 0, 1, created_at, created_at, created_at",
  waiting:
    "'queued', 0, 1, created_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', (1800 + rowid % 3600) || ' seconds'), null",
  due: "'queued', 0, 0, created_at, created_at, null",
  suspects: "'queued', 1, 0, created_at, created_at, null",
}

/** Creates a data directory with `count` leads, ten per minute until now. */
export async function fillDatabase(count: number, emails: Emails = 'sent') {
  const dataDir = newDataDir()
  await (await openDatabase(dataDir.path)).destroy()
  const db = new Sqlite(join(dataDir.path, 'leads.db'))
  db.pragma('synchronous = off')
  db.exec(`
    begin;
    with recursive number(n) as (select 0 union all select n + 1 from number where n + 1 < ${count})
    insert into leads (id, reference, created_at, first_name, last_name, email, phone, company, website, budget, message, content_hash)
    select printf('%012d-7000-8000-%s', n, hex(randomblob(6))), printf('Q-%04d-%04d', n / 10000, n % 10000),
      strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ((n - ${count}) * 6) || ' seconds'), 'Person', 'Number ' || n,
      'person' || n || '@example.com', '(312) 555-0199', 'Company ' || n, 'https://example.com',
      case n % 3 when 0 then 'starter' when 1 then 'professional' else '' end,
      'I am person ' || (n % 1000) || '. ' || hex(randomblob(150)), hex(randomblob(32)) from number;
    insert into outbox (lead_id, kind, recipient, state, priority, attempts, queued_at, due_at, sent_at, message_id)
    select id, 'owner_notice', 'hello@plumbline.example', ${states[emails]}, '<' || id || '.0@example.com>' from leads;
    insert into outbox_attempts select id, due_at, iif(state = 'queued', 'retry', state), 250, '250 2.0.0 Ok: queued as 4Xk2Yz' from outbox where attempts > 0;
    commit;`)
  db.close()
  return dataDir
}
