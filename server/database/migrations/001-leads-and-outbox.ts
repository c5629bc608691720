import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

/** Earlier versions ran migrations 001 to 005 without a transaction, so each can continue after a run that was killed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('leads')
    .ifNotExists()
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('reference', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('first_name', 'text', (column) => column.notNull())
    .addColumn('last_name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('phone', 'text', (column) => column.notNull())
    .addColumn('company', 'text', (column) => column.notNull())
    .addColumn('website', 'text', (column) => column.notNull())
    .addColumn('budget', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text', (column) => column.unique())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('spam_score', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('spam_reasons', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
  await db.schema
    .createIndex('leads_by_content')
    .ifNotExists()
    .on('leads')
    .columns(['content_hash', 'created_at'])
    .execute()

  await db.schema
    .createTable('outbox')
    .ifNotExists()
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('lead_id', 'text', (column) => column.notNull().references('leads.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('queued'))
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'text')
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addCheckConstraint('outbox_state', sql`state in ('queued', 'sending', 'sent', 'failed')`)
    .execute()
  await db.schema.createIndex('outbox_by_lead').ifNotExists().on('outbox').column('lead_id').execute()
  // Indexes only unsent emails, so that finding the next one stays fast as the outbox grows.
  await db.schema
    .createIndex('outbox_open')
    .ifNotExists()
    .on('outbox')
    .column('due_at')
    .where(sql.ref('state'), 'in', sql`('queued', 'sending')`)
    .execute()
  await db.schema
    .createIndex('outbox_failed')
    .ifNotExists()
    .on('outbox')
    .column('id')
    .where(sql.ref('state'), '=', sql.lit('failed'))
    .execute()

  await db.schema
    .createTable('outbox_attempts')
    .ifNotExists()
    .addColumn('outbox_id', 'integer', (column) =>
      column.notNull().references('outbox.id').onDelete('cascade'),
    )
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('smtp_code', 'integer')
    .addColumn('response', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('attempts_by_mail')
    .ifNotExists()
    .on('outbox_attempts')
    .column('outbox_id')
    .execute()

  await db.schema
    .createTable('accepted_requests')
    .ifNotExists()
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('accepted_by_client')
    .ifNotExists()
    .on('accepted_requests')
    .columns(['client', 'at'])
    .execute()
  await db.schema.createIndex('accepted_by_time').ifNotExists().on('accepted_requests').column('at').execute()

  await db.schema
    .createTable('settings')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
  const key = randomBytes(32).toString('hex')
  await sql`insert into settings (name, value) values ('client_hash_key', ${key}), ('last_write_check', '') on conflict do nothing`.execute(
    db,
  )

  // The view uses subqueries instead of a join, so that reading a few leads doesn't scan the rest.
  await db.schema.dropView('lead_overview').ifExists().execute()
  await sql`
    create view lead_overview as
    select created_at, reference, first_name || ' ' || last_name as name,
      email, phone, company, website, budget, message,
      (select case
          when count(*) = 0 then 'no mail'
          when sum(state = 'failed') > 0 then 'failed'
          when sum(state <> 'sent') > 0 then 'waiting'
          else 'delivered'
        end from outbox where lead_id = leads.id) as delivery,
      (select coalesce(sum(attempts), 0) from outbox where lead_id = leads.id) as attempts,
      (select max(sent_at) from outbox where lead_id = leads.id) as delivered_at
    from leads
    order by leads.id desc`.execute(db)
}
