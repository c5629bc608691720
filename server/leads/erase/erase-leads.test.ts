import { createHash } from 'node:crypto'
import { copyFileSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { PAGE_SIZE } from '#shared/inbox/lead.ts'
import { takeBackup } from '../../backup/take-backup.ts'
import { truncateWal } from '../../database/differences.ts'
import { type Email, enqueue } from '../../outbox/email.ts'
import { isOnPostgres, useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerKey, answerTools, leadTools, storeLead, storeLeads } from '../../proof/testing/leads.ts'
import { bounceOf, mailboxTools } from '../../proof/testing/mailbox.ts'
import { deliverToFiles, writeEmailOf } from '../../proof/testing/outbox.ts'
import { saveDraft } from '../answers/drafts.ts'
import { noteLead } from '../change/change-lead.ts'
import { searchLeads } from '../lists/search-leads.ts'
import { CUT } from '../messages/message-text.ts'
import { erasePerson, findPerson, type Person } from './erase-leads.ts'

const site = useTestApp()
let mailDir: string
beforeEach(() => {
  site.clock.now = new Date()
  mailDir = join(site.dataDir, 'mail')
})

const idsFrom = async (address: string) => (await findPerson(site.db, address)).leads.map(({ id }) => id)
const erase = async (address: string, person?: Person) =>
  erasePerson(
    { db: site.db, dataDir: site.dataDir, backupDir: site.env.BACKUP_DIR, now: site.clock.now },
    person ?? (await findPerson(site.db, address)),
  )

/** The files in the data directory that contain this lowercase text, in uppercase or lowercase. */
const filesWith = (text: string) =>
  readdirSync(site.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'latin1').toLowerCase().includes(text))

test.skipIf(isOnPostgres)('erasing also removes deleted text that SQLite left in its file', async () => {
  // Hashes give a random but reproducible order.
  const noise = (seed: string) => createHash('sha256').update(seed).digest('hex')
  const people = Array.from({ length: 1500 }, (_, index) => noise(`person ${index}`).slice(0, 24))
  const lead = (person: string) => ({
    email: `${person}@example.com`,
    message: `${person} ${'long '.repeat(Number.parseInt(person.slice(0, 2), 16))}`,
  })
  for (const some of [people.slice(0, 1000), people.slice(1000)]) await storeLeads(site.db, ...some.map(lead))
  const gone = people.toSorted().slice(0, -200)
  const addresses = gone.map((person) => `${person}@example.com`)
  await site.db.deleteFrom('leads').where('email', 'in', addresses).execute()
  await truncateWal(site.db)
  const files = ['leads.db', 'leads-before-restore-1.db'].map((name) => join(site.dataDir, name))
  copyFileSync(...(files as [string, string]))
  const left = () => {
    const bytes = files.map((file) => readFileSync(file, 'latin1')).join('')
    return gone.filter((person) => bytes.includes(person))
  }
  // SQLite's secure_delete must have left some text behind: otherwise, this test would prove
  // nothing.
  expect(left()).not.toEqual([])

  await erase('nobody@example.com')

  expect(left()).toEqual([])
})

/** Adds an answer with a file, a note and a draft to a lead. */
async function work(reference: string, text: string) {
  const { answer, attach } = answerTools(site)
  const bytes = Buffer.from('Zanzibar '.repeat(40_000))
  await answer(reference, { text, files: [await attach(reference, 'plan.pdf', bytes)] })
  await attach(reference, 'draft.pdf', bytes)
  await noteLead(site.inboxDeps, { reference, who: anna, key: answerKey.replace('aa', 'ab'), text })
  await saveDraft(site.inboxDeps, { reference, who: anna, version: 1, base: null, text })
}

test('after a person is erased, neither the database nor its WAL has words from the request, its notes, drafts or answers, and no search finds them', async () => {
  for (let count = 0; count < 300; count++)
    await site.submit({ message: `request ${count} of zzz${count * 7919}` })
  const person = { firstName: 'Kovalevskaya', email: 'Eve@Example.com', message: 'Xylophone please' }
  const { reference } = await site.submit(person)
  await truncateWal(site.db)
  await work(reference, 'Dear Quetzalcoatl')
  const words = [
    'kovalevskaya',
    'xylophone',
    'quetzalcoatl',
    'zanzibar',
    reference.toLowerCase().replaceAll('-', ''),
  ]
  const isOnDisk = () => words.map((word) => filesWith(word).length > 0)
  const find = async (search: string) =>
    (await searchLeads(site.db, { search })).leads.map((lead) => lead.reference)
  expect([isOnDisk(), await find('xylophone')]).toEqual([words.map(() => !isOnPostgres), [reference]])

  expect(await erase('EVE@example.com')).toMatchObject({ references: [reference], notErased: [] })

  expect(isOnDisk()).toEqual([false, false, false, false, false])
  expect(await site.db.selectFrom('file_parts').select('number').execute()).toEqual([])
  expect(await find('xylophone')).toEqual([])
  expect(await find('request')).toHaveLength(PAGE_SIZE)
  for (const table of ['lead_events', 'lead_drafts'] as const)
    expect(await site.db.selectFrom(table).select('text').execute()).toEqual([])
  expect(await site.db.selectFrom('lead_texts').select('lead_id').execute()).toHaveLength(300)
})

test('leads that arrive after the owner has confirmed the erasure are kept', async () => {
  await site.submit({ email: 'eve@example.com', message: 'asked about' })
  await deliverToFiles(site)
  // More than are erased in one transaction.
  await storeLeads(site.db, ...Array(210).fill({ email: 'eve@example.com' }))
  const person = await findPerson(site.db, 'eve@example.com')
  await site.submit({ email: 'Eve@example.com', message: 'newer' })
  await deliverToFiles(site)

  const erased = await erase('eve@example.com', person)

  expect(erased).toMatchObject({ emails: 1, emlFiles: 2 })
  expect(erased.references).toHaveLength(211)
  expect(await site.db.selectFrom('leads').select('message').execute()).toEqual([{ message: 'newer' }])
})

test('erasing removes all .eml files, also of leads that are gone, of others that mention the person, and unfinished ones', async () => {
  await site.submit({ email: 'eve@example.com', message: 'one' })
  await site.submit({ email: 'bob@example.com', message: 'My colleague is Eve@example.com.' })
  await deliverToFiles(site)
  await site.db.deleteFrom('leads').where('email', '=', 'eve@example.com').execute()
  writeFileSync(join(mailDir, '.list-1.0.eml.part'), 'Eve Gone')

  expect(await erase('eve@example.com')).toMatchObject({ references: [], emlFiles: 3 })

  expect(readdirSync(mailDir)).toEqual([])
  expect(await idsFrom('bob@example.com')).toHaveLength(1)
})

test('an email that is about to be sent when its lead is erased is not needed, which says nothing about the mail server', async () => {
  for (const kind of ['owner_notice', 'visitor_receipt', 'answer'] as const)
    expect(await writeEmailOf(site)({ kind, leadId: 'erased' } as Email)).toBe('not needed')
})

test.skipIf(isOnPostgres)('erasing includes the databases that restores have kept', async () => {
  await site.submit({ email: 'eve@example.com', message: 'Xylophone please' })
  await site.submit({ email: 'ada@example.com' })
  const kept = ['leads-before-restore-1.db', 'leads.db.restore.part']
  for (const name of kept) await sql`vacuum into ${join(site.dataDir, name)}`.execute(site.db)
  linkSync(join(site.dataDir, 'leads.db'), join(site.dataDir, 'leads-before-restore-2.db'))
  expect(filesWith('xylophone').map((file) => basename(file))).toEqual(expect.arrayContaining(kept))

  expect(await erase('eve@example.com')).toMatchObject({ notErased: [] })

  expect([filesWith('xylophone'), filesWith('eve@example.com')]).toEqual([[], []])
  expect(filesWith('ada@example.com').length).toBeGreaterThan(2)
})

test.skipIf(isOnPostgres)(
  'an erasure names the database if another program keeps traces in its log',
  async () => {
    await site.submit({ email: 'eve@example.com' })
    const other = new Sqlite(join(site.dataDir, 'leads.db'), { readonly: true })
    other.exec('begin; select count(*) from leads')

    expect(await erase('eve@example.com')).toMatchObject({ notErased: ['leads.db'] })

    other.close()
    expect(await erase('eve@example.com')).toMatchObject({ notErased: [] })
  },
)

const eve = 'eve@annex.example'

/**
 * Ada has sent a request. Eve, to whom she has forwarded our email, has written, too, and was
 * answered.
 */
async function talkToTwo() {
  const { takeIn, answered } = mailboxTools(site)
  const { answer, undo, attach } = answerTools(site)
  const { reference, answers, id } = await answered({ message: 'A roof for Ada' })
  const words = 'Xylophone, please, with an Xylophone stand'
  await takeIn({ answers, id: '<1@xylo.example>', from: eve, text: words })
  await noteLead(site.inboxDeps, { reference, who: anna, key: crypto.randomUUID(), text: 'Call Ada.' })
  const key = crypto.randomUUID()
  const files = [await attach(reference, 'annex.pdf', Buffer.from('xylo'))]
  const undone = [await attach(reference, 'annex 2.pdf', Buffer.from('xylo'))]
  await answer(reference, { key, text: 'Dear Quetzalcoatl', to: eve, files: [...files, ...undone] })
  await undo(reference, { key })
  await answer(reference, { key: crypto.randomUUID(), text: 'Dear Quetzalcoatl', to: eve, files })
  const { version } = await leadTools(site).read(reference)
  for (const [who, text] of [
    [anna, `You wrote:\n> ${words}`],
    ['bob@agency.example', 'A draft for Ada'],
  ] as const)
    await saveDraft(site.inboxDeps, { reference, who, base: null, text, version })
  await takeIn({ from: anna, to: eve, answers: '<1@xylo.example>', text: 'Quetzalcoatl again' }, 'sent')
  await takeIn({ answers, text: `Fine by me.\n\nOn Monday, Eve <${eve}> wrote:\n> ${words}` })
  await takeIn({ answers, text: `> ${words}\nYes.\n> A xylo, then?\nAsk ${eve}.\nOr ask me.` })
  const adas = [await attach(reference, 'for Ada.pdf', Buffer.from('1'))]
  await answer(reference, { key: crypto.randomUUID(), text: 'Dear Ada', files: adas })
  site.advanceClock(60_000)
  await deliverToFiles(site)
  const trouble = `550 <${eve}>: no such user`
  await site.db.updateTable('leads').set({ trouble }).where('id', '=', id).execute()
  await enqueue(
    site.db,
    [
      {
        leadId: id,
        kind: 'answer_trouble',
        recipient: anna,
        messageId: '<trouble@agency.example>',
        content: JSON.stringify({
          address: eve.toUpperCase(),
          reason: 'Quetzalcoatl',
          at: '',
          stuckSince: null,
        }),
      },
      // Earlier versions named all messages of a lead.
      {
        leadId: id,
        kind: 'answer',
        recipient: 'ada@example.com',
        messageId: '<old@agency.example>',
        content: JSON.stringify({
          key: 'old',
          text: 'Old answer',
          owner: anna,
          at: '2026-03-02T15:00:00.000Z',
          references: ['<1@xylo.example>'],
        }),
      },
    ],
    site.clock.now,
  )
  return { reference, answers }
}

const ofPeople = [
  ...(['leads', 'lead_events', 'lead_drafts', 'lead_texts'] as const),
  ...(['files', 'outbox', 'outbox_attempts'] as const),
]

/** All rows of all tables, except the record of the erasure. */
async function everything() {
  const rows = await Promise.all(ofPeople.map((table) => site.db.selectFrom(table).selectAll().execute()))
  return JSON.stringify(rows).toLowerCase()
}

test('somebody who has only replied is erased, with all that repeats it, while the lead of the other stays', async () => {
  const { reference } = await talkToTwo()
  const ofEve = site.db.selectFrom('lead_events').select('key').where('who', '=', eve)
  const { key } = await ofEve.executeTakeFirstOrThrow()
  const words = ['annex', 'xylo', 'quetzalcoatl', 'undone', String(key).toLowerCase()]
  const stored = await everything()
  expect(words.filter((word) => !stored.includes(word))).toEqual([])
  expect(filesWith('xylophone').filter((file) => file.endsWith('.eml'))).not.toEqual([])

  expect(await erase(eve.toUpperCase())).toMatchObject({ references: [], messages: 1, notErased: [] })

  await takeBackup(site.env, site.clock.now)
  const left = await everything()
  expect(words.filter((word) => left.includes(word))).toEqual([])
  expect(words.flatMap(filesWith)).toEqual([])
  expect(await site.db.selectFrom('file_parts').select('number').execute()).toHaveLength(1)
  expect(words.filter((word) => site.logLines.join().toLowerCase().includes(word))).toEqual([])
  // What was quoted may have had words of the others, too.
  const cut = CUT.toLowerCase()
  for (const stays of [
    ...[
      'a roof for ada',
      'a draft for ada',
      'dear ada',
      'for ada.pdf',
      'yes, we can.',
      'old answer',
      'call ada.',
    ],
    ...[`fine by me.\\n\\n${cut}`, `yes.\\nor ask me.\\n\\n${cut}`],
  ])
    expect(left).toContain(stays)
  expect(await leadTools(site).read(reference)).toMatchObject({ state: 'answered' })
  expect((await searchLeads(site.db, { search: 'xylophone' })).leads).toEqual([])
  expect((await searchLeads(site.db, { search: 'fine roof' })).leads).toHaveLength(1)
})

test('an address is erased and found as people write it, with letters of any language', async () => {
  const { takeIn, answered } = mailboxTools(site)
  await site.submit({ email: 'vic@xn--bcher-kva.example' })
  for (const from of ['Vic@B\u00fccher.example', 'vic@xn--bcher-kva.example.']) {
    const { answers } = await answered({ message: from })
    await takeIn({ answers, from, text: 'Hello' })
    await takeIn({ answers, from: eve, text: 'Hello' })
  }
  const search = 'Vic@B\u00fccher.example'
  expect((await searchLeads(site.db, { search })).leads).toHaveLength(3)
  // An owner has corrected this one.
  const { id } = await storeLead(site.db, { email: 'victor@example.com' })
  const correction = { what: 'address' as const, from_value: 'Vic@xn--bcher-kva.example' }
  const event = { lead_id: id, at: site.clock.now.toISOString(), who: anna, ...correction }
  await site.db.insertInto('lead_events').values(event).execute()

  const erased = await erase(` ${search} `)

  expect(erased.references).toHaveLength(2)
  expect(erased.messages).toBe(2)
})

test('a message that comes after the owner has confirmed the erasure stays, and so does the notice of it', async () => {
  const { answers } = await talkToTwo()
  const person = await findPerson(site.db, eve)
  site.advanceClock(1000)
  await mailboxTools(site).takeIn({ answers, id: '<late@x.example>', from: eve, text: 'Something newer' })
  // He was written to, but has never written.
  const to = 'ada@example.com, carl@annex.example'
  await mailboxTools(site).takeIn({ answers, id: '<carl@x.example>', from: anna, to }, 'sent')

  expect(await erase(eve, person)).toMatchObject({ messages: 1 })

  const left = await everything()
  const words = ['something newer', 'carl@annex', 'xylophone']
  expect(words.map((word) => left.includes(word))).toEqual([true, true, false])
  await erase('carl@annex.example')
  expect(await everything()).not.toContain('carl@annex.example')
  const notices = site.db.selectFrom('outbox').select('id').where('kind', '=', 'owner_notice')
  expect(await notices.where('state', '=', 'queued').execute()).toHaveLength(1)
})

test('a lead that stood first because of an answer to an erased person stands where its own promise puts it', async () => {
  const { takeIn, answered } = mailboxTools(site)
  const { reference, answers } = await answered({})
  await takeIn({ answers, id: '<1@annex.example>', from: eve, text: 'One more thing' })
  const { due_at } = await leadTools(site).read(reference)
  const urgent = { trouble: `${eve} does not exist`, sort_key: `0${due_at}` }
  await site.db.updateTable('leads').set(urgent).where('reference', '=', reference).execute()

  await erase(eve)

  const lead = await leadTools(site).read(reference)
  expect(lead).toMatchObject({ list: 'open', replied_at: null, trouble: null, sort_key: due_at })
})

test.each<[string, string[], string]>([
  ['that only the erased person has opened again is answered', [eve], 'answered'],
  ['in which somebody else waits, too, stays open', ['ada@example.com', eve], 'open'],
])('a lead %s', async (_which, senders, state) => {
  const { takeIn, answered } = mailboxTools(site)
  const { reference, answers } = await answered({})
  const before = await leadTools(site).read(reference)
  for (const from of senders) await takeIn({ answers, from, id: `<${from}>`, text: 'One more thing' })

  await erase(eve)

  const { list, version } = await leadTools(site).read(reference)
  expect(list).toBe(state)
  expect(version).toBeGreaterThan(before.version + senders.length - 1)
})

test('a request that nobody has answered stays open when another person is erased', async () => {
  const { takeIn } = mailboxTools(site)
  const { reference } = await site.submit({ email: 'ada@example.com' })
  const emails = site.db.selectFrom('outbox').select('message_id')
  const { message_id: answers } = await emails.executeTakeFirstOrThrow()
  await takeIn({ answers, from: eve, text: 'One more thing' })

  expect(await erase(eve)).toMatchObject({ messages: 1 })

  expect((await leadTools(site).read(reference)).state).toBe('open')
})

test('a lead stays open if the answer to its person has come back since the erased person wrote', async () => {
  const { answered, takeIn, deliver } = mailboxTools(site)
  const { answer } = answerTools(site)
  const { reference, answers } = await answered({})
  await takeIn({ answers, id: '<1@annex.example>', from: eve, text: 'One more thing' })
  await answer(reference, { key: crypto.randomUUID(), to: eve })
  site.advanceClock(60_000)
  await deliver()
  await takeIn({ answers, id: '<2@annex.example>', from: eve, text: 'And another' })
  await takeIn({ from: '', body: bounceOf(answers) })
  expect((await leadTools(site).read(reference)).state).toBe('open')

  await erase(eve)

  const { state, trouble } = await leadTools(site).read(reference)
  expect([state, trouble]).toEqual(['open', expect.stringMatching(/did not arrive/)])
})

test('a file that was meant for an erased person at first stays if somebody else has got it', async () => {
  const { answered, takeIn } = mailboxTools(site)
  const { answer, attach, undo } = answerTools(site)
  const { reference, answers } = await answered({})
  await takeIn({ answers, from: eve, text: 'One more thing' })
  const files = [await attach(reference, 'quote.pdf', Buffer.from('1'))]
  await answer(reference, { to: eve, files })
  await undo(reference)
  await answer(reference, { key: crypto.randomUUID(), to: 'ada@example.com', files })

  await erase(eve)

  expect(await site.db.selectFrom('files').select('name').execute()).toEqual([{ name: 'quote.pdf' }])
})

test('nothing is left of an answer that an erased person did not get', async () => {
  const { answered, deliver, everything, takeIn } = mailboxTools(site)
  const { reference, answers } = await answered({})
  await takeIn({ answers, id: '<1@annex.example>', from: eve, text: 'One more thing' })
  await answerTools(site).answer(reference, { key: crypto.randomUUID(), to: eve })
  site.advanceClock(60_000)
  const sent = (await deliver()).find(({ to }) => JSON.stringify(to).includes(eve))
  await takeIn({ from: '', body: bounceOf(answers) })
  await takeIn({ from: '', body: bounceOf(`${sent?.messageId}`).replace('ada@example.com', eve) })
  expect((await leadTools(site).read(reference)).trouble).toMatch(/did not arrive/)

  await erase(eve)

  expect(JSON.stringify(await everything())).not.toContain(eve)
  const failed = site.db.selectFrom('lead_events').select('text').where('what', '=', 'answer_failed')
  expect(await failed.execute()).toEqual([{ text: expect.stringMatching(/did not arrive/) }])
})
