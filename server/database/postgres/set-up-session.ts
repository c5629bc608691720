import type { ClientBase } from 'pg'

/**
 * Overrides defaults of the server, database and user:
 *
 * - `read committed`: after waiting for a lock (`lockNames`), a transaction must see what the previous holder wrote.
 * - `synchronous_commit`: commits must be on disk. Keeps stricter settings, such as waiting for a standby.
 * - `tcp_*`: if a machine disappears, PostgreSQL must release its locks within half a minute, not hours. Keeps values from
 *   the URL.
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

/** Sends the settings as a statement, because a pooler may reject startup options. */
export const setUpSession = (client: ClientBase) => client.query(settings)
