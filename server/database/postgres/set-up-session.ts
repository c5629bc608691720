import type { ClientBase } from 'pg'

/**
 * Settings that the program relies on, whatever the defaults of the server, the database or the user:
 *
 * - `read committed`: after waiting for a lock (`lockNames`), a transaction must see what its previous holder wrote.
 * - a commit is on disk before it's confirmed. Stricter settings, such as waiting for a standby, stay.
 * - PostgreSQL frees the locks of a vanished machine within half a minute; the OS defaults are hours. Values from the URL
 *   stay.
 */
const settings = `
  select set_config(name, wanted, false)
  from pg_settings join (values
    ('default_transaction_isolation', 'read committed'),
    ('synchronous_commit', 'on'),
    ('tcp_keepalives_idle', '10'),
    ('tcp_keepalives_interval', '5'),
    ('tcp_keepalives_count', '3'),
    ('tcp_user_timeout', '25000')
  ) as ours (name, wanted) using (name)
  where case name
    when 'default_transaction_isolation' then true
    when 'synchronous_commit' then setting = 'off'
    else source <> 'client'
  end`

/** Uses a statement because a pooler may reject startup options. */
export async function setUpSession(client: ClientBase): Promise<void> {
  await client.query(settings)
}
