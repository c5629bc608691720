import type { ClientBase } from 'pg'

/**
 * What the program relies on, and so does not leave to how the server, the database or the user is set:
 *
 * - `read committed`: who has waited for a lock (`lockNames`) must see what its holder has written.
 * - a commit is on disk before it is confirmed; to wait for a standby as well is more, and stays.
 * - the server finds out within half a minute that a machine has vanished, and its locks are free; the operating
 *   system's own values are hours. What the address itself says here holds.
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

/** Sets up a new session; by a statement, for a pooler may not know the options of a connection's start. */
export async function setUpSession(client: ClientBase): Promise<void> {
  await client.query(settings)
}
