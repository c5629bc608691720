import { randomBytes, randomUUIDv7 } from 'node:crypto'
import pg from 'pg'

// The number of connections that our server uses for visitors' requests.
const POOL_SIZE = 10

/**
 * Does the least work that can store leads in PostgreSQL: two inserts and a commit for each, over a
 * pool of connections.
 */
process.once('message', ({ url }: { url: string }) => {
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE })

  async function insertBoth() {
    const client = await pool.connect()
    const [id, at, hash] = [randomUUIDv7(), new Date().toISOString(), randomBytes(32).toString('hex')]
    await client.query('begin')
    await client.query(
      `insert into leads (id, reference, created_at, first_name, last_name, email, phone,
      company, website, budget, message, content_hash, spam_score, spam_reasons, source, due_at, sort_key)
      values ($1, $2, $3, 'Ada', 'Lovelace', 'ada@example.com', '(312) 555-0199', 'Analytical Roofing',
      'https://analytical.example', 'professional', $4, $5, 0, '[]', '{}', '', '')`,
      [id, `Q-${hash.slice(0, 16)}`, at, `${id} is what we would like to build.`, hash],
    )
    await client.query(
      `insert into outbox (lead_id, kind, recipient, priority, queued_at, due_at, message_id)
      values ($1, 'owner_notice', 'owner@example.com', 0, $2, $2, $3)`,
      [id, at, `<${id}.0@example.com>`],
    )
    await client.query('commit')
    client.release()
  }

  process.on('message', async ({ connections, amount }: { connections: number; amount: number }) => {
    let left = amount
    const insertAll = async () => {
      while (left-- > 0) await insertBoth()
    }
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: connections }, insertAll))
    process.send?.({ rate: (amount * 1000) / (performance.now() - startedAt) })
  })
  process.send?.({})
})
