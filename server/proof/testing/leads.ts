import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import Sqlite from 'better-sqlite3'
import type { Insertable } from 'kysely'
import { officeClock } from '#shared/office-time.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { answerLead } from '../../leads/answers/answer-lead.ts'
import { undoAnswer } from '../../leads/answers/undo-answer.ts'
import { uploadFile } from '../../leads/answers/upload-file.ts'
import { erasePerson, findPerson } from '../../leads/erase/erase-leads.ts'
import { createLeadId } from '../../leads/lead-id.ts'
import { toColumns } from '../../leads/lead-store.ts'
import { sortKey } from '../../leads/lists/sort-key.ts'
import { createReference } from '../../leads/reference.ts'
import { searchTextOf } from '../../leads/search/search-text.ts'
import type { TestApp } from './build-test-app.ts'
import { sampleRequest } from './sample-request.ts'

export const anna = 'anna@agency.example'
export const bob = 'bob@agency.example'

/** Returns functions that store leads, and that read leads, their history and their drafts. */
export function leadTools(site: TestApp) {
  let messages = 0
  const read = (reference: string) =>
    site.db.selectFrom('leads').selectAll().where('reference', '=', reference).executeTakeFirstOrThrow()

  return {
    read,
    submit: async (changes = {}): Promise<string> =>
      (await site.submit({ message: `Message ${++messages}`, ...changes })).reference,
    /** Gives a lead a spam score that makes it suspected spam. */
    suspect: (reference: string) =>
      site.db.updateTable('leads').set({ spam_score: 12 }).where('reference', '=', reference).execute(),
    history: async (reference: string) => {
      const { id } = await read(reference)
      return site.db
        .selectFrom('lead_events')
        .select(['who', 'what', 'from_value', 'to_value', 'text'])
        .where('lead_id', '=', id)
        .orderBy('id')
        .execute()
    },
    drafts: () => site.db.selectFrom('lead_drafts').select(['owner', 'text']).execute(),
  }
}

/** The idempotency key of the answers below, unless a test sets another one. */
export const answerKey = '019c0000-0000-7000-8000-0000000000aa'

/** Returns functions that answer leads as Anna and undo her answers. */
export function answerTools(site: TestApp) {
  const { read } = leadTools(site)
  return {
    answer: async (reference: string, changes = {}) =>
      answerLead(site.inboxDeps, {
        reference,
        who: anna,
        key: answerKey,
        text: 'Yes, we can.',
        base: null,
        version: (await read(reference)).version,
        ...changes,
      }),
    /** Attaches a file to her unfinished answer, and returns its id. */
    async attach(reference: string, name: string, bytes: Buffer, owner = anna) {
      const id = randomUUID()
      const type = name.endsWith('.pdf') ? 'application/pdf' : 'image/png'
      const upload = { reference, owner, id, name, type, size: bytes.length }
      await uploadFile(site.inboxDeps, { ...upload, bytes: Readable.from([bytes]) })
      return id
    },
    undo: (reference: string, changes = {}) =>
      undoAnswer(site.inboxDeps, { reference, who: anna, key: answerKey, ...changes }),
  }
}

/** A mail server's refusal of a command, such as "550 5.1.1 no such user". */
export const refusal = (response: string, command = 'RCPT TO') =>
  Object.assign(new Error(response), { responseCode: Number.parseInt(response, 10), command, response })

/**
 * Creates a delivery function that acts as if the mail server refused answers but accepted all
 * other emails.
 */
export const refuse = (response: string) => async (job: { kind: string }) => {
  if (job.kind === 'answer') throw refusal(response)
  return '250 ok'
}

type Row = Insertable<Schema['leads']>

function rowOf({ state = 'open', created_at = '2026-03-02T14:00:00.000Z', ...changes }: Partial<Row>): Row {
  const row = {
    id: createLeadId(new Date(created_at)),
    reference: createReference(),
    created_at,
    ...toColumns(sampleRequest()),
    idempotency_key: null,
    content_hash: '',
    spam_score: 0,
    spam_reasons: '[]',
    source: '{}',
    state,
    verdict: null,
    due_at: '2026-03-02T18:00:00.000Z',
    follow_up_at: null,
    trouble: null,
    replied_at: null,
    ...changes,
  }
  return { ...row, sort_key: sortKey(row, row.created_at), ...changes }
}

/** Stores leads, oldest first, and returns their rows. */
export async function storeLeads(db: Database, ...changes: Partial<Row>[]): Promise<Row[]> {
  const rows = changes.map(rowOf)
  await db.insertInto('leads').values(rows).execute()
  const texts = rows.map((row) => ({ lead_id: row.id, ...searchTextOf(row) }))
  await db.insertInto('lead_texts').values(texts).execute()
  return rows
}

/** Stores a lead with `changes` and returns its row. */
export const storeLead = async (db: Database, changes: Partial<Row> = {}): Promise<Row> =>
  (await storeLeads(db, changes))[0] as Row

/** Erases everything that this person has sent. */
export const erase = async ({ db, dataDir, env, clock }: TestApp, address: string) =>
  erasePerson({ db, dataDir, backupDir: env.BACKUP_DIR, now: clock.now }, await findPerson(db, address))

/** Submits a lead whose notice is sent and whose receipt bounces. Returns its reference. */
export async function bounceReceipt({ submitLead, outbox, clock }: TestApp, changes = {}): Promise<string> {
  const clues = { isHoneypotFilled: false, formAgeMs: 60_000 }
  const { reference } = await submitLead(sampleRequest(changes), { clues })
  const notice = await outbox.claim(clock.now)
  const receipt = await outbox.claim(clock.now)
  if (!notice || !receipt) throw new Error('The notice or the receipt is missing.')
  await outbox.record(notice, clock.now, 'sent', { smtpCode: 250, response: '250 ok' })
  await outbox.record(receipt, clock.now, 'bounced', { smtpCode: 550, response: '550 no such user' })
  return reference
}

/** The result of a query on a database file. */
export function queryFile(file: string, query: string): unknown[][] {
  const sqlite = new Sqlite(file, { readonly: true })
  const rows = sqlite.prepare<[], unknown[]>(query).raw().all()
  sqlite.close()
  return rows
}

/** The messages of the leads in a database file, oldest first. */
export const messagesIn = (file: string) =>
  queryFile(file, 'select message from leads order by created_at, id').flat()

/**
 * The moment when the office's clocks show `wall`, such as "2026-03-02T18:00", whatever the
 * office's time zone.
 */
export const atOffice = (wall: string): Date => new Date(officeClock.fromWall(Date.parse(`${wall}Z`)))
