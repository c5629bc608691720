import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import type { LeadView } from '#shared/inbox/lead.ts'
import { createOutbox } from '../../app/create-outbox.ts'
import type { Context } from '../../context.ts'
import { createGroupCommit } from '../../database/group-commit.ts'
import { openStorage } from '../../database/open-storage.ts'
import { parseEnv } from '../../env.ts'
import { undoChange } from '../../leads/change/change-lead.ts'
import { listLeads } from '../../leads/lists/lists.ts'
import { readMessage } from '../../mailbox/read-message.ts'
import { createTakeIn } from '../../mailbox/take-in.ts'
import { writtenIn } from '../../mailbox/words.ts'
import { queryDatabase } from '../faults/query-database.ts'
import { isOnPostgres, openTestDatabase, testOnce, useFolder } from '../testing/build-test-app.ts'
import { atOffice } from '../testing/leads.ts'
import { atDatabase, createDatabase, dropDatabase } from '../testing/postgres.ts'
import { openRelay } from '../testing/relay.ts'
import { runInThisProcess } from '../testing/run-program.ts'
import { newDataDir } from '../testing/start-program.ts'
import { waitUntil } from '../testing/wait-until.ts'
import {
  type Content,
  earlierFile,
  findLost,
  placeEarlier,
  type Row,
  readContent,
  readSchema,
} from './earlier.ts'

const MINUTE_MS = 60_000

const folder = useFolder()
let settings: { DATA_DIR: string; DATABASE_URL?: string }
let before: Content
beforeEach(async () => {
  settings = { DATA_DIR: folder.path, ...(isOnPostgres && { DATABASE_URL: await newPostgres() }) }
  await placeEarlier(settings)
  before = await readContent(settings)
})
afterEach(async () => {
  if (settings.DATABASE_URL) await dropDatabase(settings.DATABASE_URL)
})

function newPostgres() {
  const name = `upgrade_${process.pid}_${Math.random().toString(36).slice(2)}`
  return createDatabase(atDatabase(String(inject('postgres')?.template), 'postgres'), name)
}

/**
 * Upgrades the database, as the server does when it starts, and returns what the server's parts
 * need.
 */
async function upgrade(more: Record<string, string> = {}) {
  const env = parseEnv({
    ...settings,
    MAIL_FROM: 'hello@agency.example',
    MAIL_TO: 'anna@agency.example,bob@agency.example',
    EMAILS_A_DAY: '0',
    VISITOR_RECEIPT: 'on',
    LEAD_WEBHOOK_URL: 'http://127.0.0.1:9/hook',
    LEAD_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    ...more,
  })
  const { db, close } = await openStorage(env, () => {})
  const last = Math.max(...(before.outbox ?? []).map(({ queued_at }) => Date.parse(String(queued_at))))
  // A lease of the killed server has ended by then.
  const now = () => new Date(last + 8 * MINUTE_MS)
  const context: Context = {
    db,
    write: createGroupCommit(db),
    now,
    log: pino({ level: 'silent' }),
    redact: String,
    env,
    siteUrl: 'https://agency.example',
  }
  return { context, [Symbol.asyncDispose]: close }
}

const rowsOf = (table: string): Row[] => before[table] ?? []
const distinct = (table: string, column: string) =>
  [...new Set(rowsOf(table).map((row) => row[column]))].toSorted()

test('the earlier version has stored something in each table, and leads and emails in each state', () => {
  const empty = Object.keys(before).filter((table) => before[table]?.length === 0)

  expect(empty).toEqual([])
  expect(distinct('leads', 'state')).toEqual(['answered', 'lost', 'open', 'spam', 'won'])
  expect(distinct('outbox', 'state')).toEqual(['failed', 'file', 'listed', 'queued', 'sending', 'sent'])
  expect(distinct('lead_events', 'what')).toEqual(expect.arrayContaining(['answered_by_mail', 'reply']))
})

test('an upgrade loses and changes nothing that the earlier version has stored, also if it is repeated', async () => {
  for (const _start of [1, 2]) await (await upgrade())[Symbol.asyncDispose]()

  const mayChange = { leads: ['state', 'sort_key'], lead_events: ['before', 'received'] }
  expect(findLost(before, await readContent(settings), mayChange)).toEqual([])
})

const runQuery = (query: string) => queryDatabase(settings, ({ db }) => sql.raw(query).execute(db))

const openingOn = (day: string) => atOffice(`${day}T${hours.opens}`).toISOString()

test('after an upgrade, results are apart from states, follow-ups have times, and what was read is read', async () => {
  await runQuery("update leads set seen_at = created_at where first_name = 'Rosa'")
  // An owner has marked Vera as lost since, and has undone that.
  for (const change of ["'state', 'open', 'lost'", "'undone', 'lost', 'open'"])
    await runQuery(`insert into lead_events (lead_id, at, who, what, from_value, to_value)
      select id, created_at, 'anna@agency.example', ${change} from leads where first_name = 'Vera'`)
  await using upgraded = await upgrade()
  const { db, now } = upgraded.context
  const whoIn = async (view: LeadView) => {
    const { leads } = await listLeads(db, { view, after: undefined, now: now() })
    return leads.map(({ name }) => name.split(' ')[0])
  }

  expect(await Promise.all((['won', 'lost', 'later'] as const).map(whoIn))).toEqual([
    // Vera has written again since.
    ['Vera', 'Walter'],
    ['Lena'],
    ['Peter', 'Carla'],
  ])
  const { leads } = await listLeads(db, { view: 'all', after: undefined, now: now() })
  const of = (name: string) => leads.find((lead) => lead.name.startsWith(name))
  expect([of('Walter'), of('Lena'), of('Vera')]).toMatchObject([
    { state: 'answered', result: 'won' },
    { state: 'answered', result: 'lost' },
    { state: 'open', result: 'won', unread: 1, isUnread: true },
  ])
  expect(of('Carla')).toMatchObject({ state: 'answered', followUpAt: openingOn('2027-01-27') })
  expect(of('Rosa')).toMatchObject({ unread: 0, words: 'Here they are.' })
  // Answers that did not arrive come first, then all others by their promise.
  const open = await whoIn('open')
  expect(open[0]).toBe('Boris')
  expect(open.indexOf('Vera')).toBeGreaterThan(open.indexOf('Ulla'))
})

test.each([
  ['Walter', { state: 'open', result: null, list: 'open' }],
  ['Carla', { state: 'answered', follow_up_at: null, list: 'answered' }],
  ['Peter', { state: 'open', follow_up_at: null, list: 'open' }],
])(
  'what the earlier version has done to the lead of %s can be undone after an upgrade',
  async (name, lead) => {
    await using upgraded = await upgrade()
    const { db } = upgraded.context
    const read = () =>
      db.selectFrom('leads').selectAll().where('first_name', '=', name).executeTakeFirstOrThrow()
    const { reference, version } = await read()

    await undoChange(upgraded.context, { reference, version, who: 'anna@agency.example' })

    expect(await read()).toMatchObject(lead)
  },
)

test('an answer to a postponed lead, and a change of a won one, can be undone after an upgrade', async () => {
  const day = '2027-01-07'
  const stateWas = (state: string) => `'{"state":"${state}","verdict":null,"follow_up_on":"${day}",
    "trouble":null,"answered_at":null,"replied_at":null,"sort_key":"1${day}"}'`
  await runQuery(`update lead_events set before = ${stateWas('open')} where lead_id =
    (select id from leads where first_name = 'Anton')`)
  await runQuery(`update lead_events set before = ${stateWas('won')} where what = 'verdict' and lead_id =
    (select id from leads where first_name = 'Sam')`)
  await using upgraded = await upgrade()
  const events = upgraded.context.db
    .selectFrom('lead_events')
    .innerJoin('leads', 'leads.id', 'lead_id')
    .select('before')
    .where('first_name', 'in', ['Anton', 'Sam'])
    .where('before', 'is not', null)
    .orderBy('first_name')

  const time = openingOn(day)
  const [anton, sam] = (await events.execute()).map(({ before }) => JSON.parse(String(before)))
  expect(anton).toMatchObject({ state: 'open', result: null, follow_up_at: time, sort_key: `1${time}` })
  expect(sam).toMatchObject({ state: 'answered', result: 'won' })
})

test('an upgraded database has the schema of a new one, so no released migration has changed', async () => {
  await (await upgrade())[Symbol.asyncDispose]()
  using fresh = newDataDir()
  const { env, remove } = await openTestDatabase(fresh.path)

  expect(await readSchema(settings)).toEqual(await readSchema(env))
  await remove()
})

test('after an upgrade, each email that waited is sent once, with its Message-ID, and no other', async () => {
  await using relay = await openRelay()
  await using upgraded = await upgrade({ SMTP_URL: relay.url })

  for (const _start of [1, 2]) await sendAll(upgraded.context)

  // The webhook doesn't answer.
  const waiting = rowsOf('outbox').filter(({ state }) => state === 'queued' || state === 'sending')
  const isOpen = (id: unknown) => rowsOf('leads').some((lead) => lead.id === id && lead.state === 'open')
  const emails = waiting.filter(
    ({ kind, lead_id }) => kind !== 'webhook' && (kind !== 'visitor_receipt' || isOpen(lead_id)),
  )
  expect(emails.length).toBeGreaterThan(10)
  expect(relay.emails.map(({ messageId }) => messageId).toSorted()).toEqual(idsOf(emails))
})

const idsOf = (emails: Row[]) => emails.map(({ message_id }) => message_id).toSorted()

async function sendAll(context: Context) {
  const outbox = createOutbox(context, 'smtp')
  await outbox.start()
  await waitUntil('no email waits', async () => {
    const open = context.db.selectFrom('outbox').select('id').where('state', 'in', ['queued', 'sending'])
    return (await open.where('kind', '<>', 'webhook').execute()).length === 0
  })
  await outbox.stop()
}

test('a message that the earlier version has stored is not stored again', async () => {
  await using upgraded = await upgrade()
  const takeIn = createTakeIn({ ...upgraded.context, readWords: writtenIn })
  const stored = rowsOf('lead_events').filter(({ received }) => received !== null)
  const repeat = async (
    { who, what, received, lead_id }: Row,
    id = JSON.parse(String(received)).messageId,
  ) => {
    const lead = rowsOf('leads').find((lead) => lead.id === lead_id)
    const isOwners = what === 'answered_by_mail'
    const lines = [
      ...[`From: ${who}`, `To: ${isOwners ? lead?.email : 'hello@agency.example'}`, `Message-ID: ${id}`],
      ...[`Subject: Re: ${lead?.reference}`, '', 'The same message.'],
    ]
    const message = await readMessage(Buffer.from(lines.join('\r\n')))
    await takeIn(message, isOwners ? 'sent' : 'inbox')
  }
  const count = async () => (await readContent(settings)).lead_events?.length ?? 0

  for (const event of stored) await repeat(event)
  const afterRepeats = await count()
  for (const event of stored) await repeat(event, `<another-${event.id}@example.com>`)

  expect(stored.length).toBeGreaterThan(5)
  expect(afterRepeats).toBe(before.lead_events?.length)
  // Camille's address is not the lead's, so the reference proves nothing.
  expect(await count()).toBe(afterRepeats + stored.length - 1)
})

testOnce('a backup of the earlier version can be restored, and commands can read it at once', async () => {
  await (await upgrade())[Symbol.asyncDispose]()
  await run('erase', 'rosa@replied.example', '--yes')

  const { stdout } = await runInThisProcess('restore', [earlierFile], { ...settings })

  expect(stdout).toMatch(/^Restored 20 leads, .*\nErased again: 1 lead/s)
  expect(JSON.parse((await run('list', '--json')).stdout)).toHaveLength(20)
})

testOnce(
  'a person is also erased from a database of the earlier version that a restore has kept',
  async () => {
    await (await upgrade())[Symbol.asyncDispose]()
    const kept = join(folder.path, 'leads-before-restore-1.db')
    copyFileSync(earlierFile, kept)
    expect(readFileSync(kept).includes('rosa@replied.example')).toBe(true)

    const { code } = await run('erase', 'rosa@replied.example', '--yes')

    expect(code).toBe(0)
    expect(readFileSync(kept).includes('rosa@replied.example')).toBe(false)
  },
)

test.runIf(isOnPostgres)(
  'a database of the earlier version can be copied to PostgreSQL, also from a backup, and stays as it is',
  async () => {
    const DATABASE_URL = await newPostgres()
    const restored = await newPostgres()
    const DATA_DIR = folder.path
    copyFileSync(earlierFile, join(DATA_DIR, 'leads.db'))
    const backup = await readContent({ DATA_DIR })

    const { code } = await runInThisProcess('leads', ['copy', '--to', DATABASE_URL], { DATA_DIR })
    const ofBackup = await run('copy', join(DATA_DIR, 'leads.db'), '--to', restored)

    const copied = await readContent({ DATA_DIR, DATABASE_URL })
    const tables = ['leads', 'lead_events', 'lead_drafts', 'lead_texts', 'outbox', 'outbox_attempts'] as const
    const wanted = Object.fromEntries(tables.map((name) => [name, backup[name] ?? []]))
    const mayChange = { leads: ['state', 'sort_key'], lead_events: ['before', 'received'] }
    expect([code, findLost(wanted, copied, mayChange)]).toEqual([0, []])
    expect(ofBackup.stdout).toMatch(/^Copied and verified: 21 leads, /)
    expect(await readContent({ DATA_DIR })).toEqual(backup)
    await dropDatabase(DATABASE_URL)
    await dropDatabase(restored)
  },
)

const run = (...args: string[]) => runInThisProcess('leads', args, { ...settings })
