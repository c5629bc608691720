import type { ClientBase } from 'pg'

/**
 * Sets what the program relies on in a new session itself, so that it does not depend on how the server, the database
 * or the user is set. By a statement: a pooler may know nothing of the options of a connection's start.
 *
 * `read committed`: who has waited for a lock (`lockNames`) must see what its holder has written.
 */
export async function setUpSession(client: ClientBase): Promise<void> {
  await client.query("set default_transaction_isolation = 'read committed'")
}
