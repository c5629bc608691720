import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import fastify from 'fastify'

const text = (maxLength) => ({ type: 'string', maxLength })
const body = {
  type: 'object',
  required: ['firstName', 'lastName', 'email', 'message'],
  additionalProperties: false,
  properties: {
    firstName: { ...text(100), minLength: 1 },
    lastName: { ...text(100), minLength: 1 },
    email: { ...text(254), format: 'email' },
    phone: { ...text(40), default: '' },
    company: { ...text(200), default: '' },
    website: { ...text(2048), default: '' },
    budget: { enum: ['', 'starter', 'professional', 'enterprise', 'custom'], default: '' },
    message: { ...text(5000), minLength: 1 },
  },
}

process.once('message', async ({ dataDir }) => {
  const store = openStore(dataDir)
  const app = fastify({ bodyLimit: 16 * 1024 })
  const response = { 200: { type: 'object', properties: { success: { const: true }, reference: text(40) } } }
  app.post('/functions/v1/send-contact-email', { schema: { body, response } }, async (request) => ({
    success: true,
    reference: store(request.body),
  }))
  process.send({ url: await app.listen({ port: 0, host: '127.0.0.1' }) })
})

/**
 * Opens a database that is as durable as ours. Returns a function that stores a lead and its email
 * in one transaction.
 */
function openStore(dataDir) {
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
