import { beforeEach, expect, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import { PAGE_SIZE } from '#shared/inbox/lead.ts'
import { officeTime } from '#shared/office-time.ts'
import { markSeen, noteLead } from '../leads/change/change-lead.ts'
import { followUp, markResult } from '../leads/change/mark-lead.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, leadTools, storeLead, storeLeads } from '../proof/testing/leads.ts'
import { mailboxTools } from '../proof/testing/mailbox.ts'
import { type OwnerBrowser, signIn } from '../proof/testing/owner-browser.ts'
import { readXlsx } from '../proof/testing/read-xlsx.ts'

const reference = 'Q-7K3M-9QXD'
const site = useTestApp()
let inbox: OwnerBrowser
beforeEach(async () => {
  inbox = await signIn(site)
  await storeLead(site.db, { reference, email: 'Ada@example.com' })
})
const readable = expect.stringMatching(/^[A-Z].{5,100}\.$/s)

test('bad queries and searches are rejected with a readable message, and unknown references with a 404', async () => {
  const cursors = ['', 'x', btoa('a b c'), btoa('\u0000 x'), 'A'.repeat(5000), 'a&after=b']
  const paths = ['/leads?view=everything', '/leads?view=', '/leads?view=open&view=won', '/export?format=csv']
  for (const path of [...paths, ...cursors.map((cursor) => `/leads?after=${cursor}`)]) {
    const { status, body, type } = await inbox.get(path)
    expect([path, status, type, body.detail]).toEqual([path, 400, 'application/problem+json', readable])
  }
  const ada = { search: 'ada' }
  for (const search of [[], {}, { search: ['a'] }, { search: 'a'.repeat(201) }, { ...ada, after: 'x' }]) {
    const { status, body } = await inbox.post('/leads/search', search)
    expect([search, status, body.detail]).toEqual([search, 400, readable])
  }
  for (const unknown of ['Q-0000-0000', 'x', '..%2f', "' or 1=1", 'a'.repeat(5000)])
    expect([unknown, (await inbox.get(`/leads/${unknown}`)).status]).toEqual([unknown, 404])
  expect((await inbox.get(`/leads/${reference.toLowerCase()}`)).body).toMatchObject({ reference })
})

test('an owner sees own drafts in lists and searches, and that emails go into files', async () => {
  await inbox.put(`/leads/${reference}/draft`, { text: 'Hi', base: null, version: 0 })
  const { body: list } = await inbox.get('/leads')
  const { body: found } = await inbox.post('/leads/search', { search: 'ada' })
  for (const { leads } of [list, found]) expect(leads).toMatchObject([{ hasDraft: true, writer: null }])
  expect((await inbox.get('/summary')).body.mail.state).toBe('files')
  const { body: lead } = await inbox.get(`/leads/${reference}`)
  expect(lead).toMatchObject({ draft: 'Hi' })
})

test('a search has pages', async () => {
  await storeLeads(site.db, ...Array(PAGE_SIZE).fill({}))
  const { body: first } = await inbox.post('/leads/search', { search: 'ada' })
  const { body: second } = await inbox.post('/leads/search', { search: 'ada', after: first.next })

  expect([first.leads.length, second.leads]).toMatchObject([PAGE_SIZE, [{ reference }]])
})

test('the Excel and JSON downloads contain all leads; Excel names the other addresses that messages came from, but no unknown one', async () => {
  const followUpAt = '2026-03-05T19:00:00.000Z'
  const answeredAt = '2026-03-02T21:00:00.000Z'
  const later = {
    state: 'answered',
    result: 'won',
    spam_score: 10,
    follow_up_at: followUpAt,
    answered_at: answeredAt,
    source: '{"referrer":"news.example"}',
  } as const
  const changed = site.db.updateTable('leads').set(later).returning('id')
  const { id } = await changed.executeTakeFirstOrThrow()
  await storeLead(site.db, { reference: 'Q-1111-1111', spam_score: 10 })
  const event = { lead_id: id, at: site.clock.now.toISOString(), what: 'reply' } as const
  const senders = ['', 'eve@x.example', '', 'ada@example.com', 'bo@x.example']
  const events = senders.map((who) => ({ ...event, who }))
  await site.db.insertInto('lead_events').values(events).execute()
  const name = (format: string) => `attachment; filename="leads-2026-03-02.${format}"`

  const xlsx = await inbox.get('/export?format=xlsx')
  const json = await inbox.get('/export?format=json')

  expect(xlsx.headers).toMatchObject({
    'content-disposition': name('xlsx'),
    'content-type': expect.stringContaining('spreadsheetml.sheet'),
  })
  const [names = [], ...leads] = readXlsx(xlsx.body)
  const times = ['Follow-up', 'Answered'].map((name) => `${name} (${hours.timeZone})`)
  const columns = ['Reference', 'State', 'Result', ...times, 'Mail', 'Spam', 'Source', 'Also wrote from']
  const places = columns.map((name) => names.indexOf(name))
  expect(leads.map((lead) => places.map((column) => lead[column]))).toEqual([
    ['Q-1111-1111', 'suspect', '', '', '', 'no mail', 'suspect', '', ''],
    [
      ...[reference, 'answered', 'won', officeTime(followUpAt), officeTime(answeredAt), 'no mail', ''],
      ...['news.example', 'eve@x.example, bo@x.example'],
    ],
  ])
  expect(json.headers['content-disposition']).toBe(name('json'))
  expect(json.body).toMatchObject([{ reference: 'Q-1111-1111' }, { reference, emails: [] }])
  await site.db.deleteFrom('leads').execute()
  expect((await inbox.get('/export?format=json')).body).toEqual([])
})

test('the Excel download has everything that was said about each lead, in order, in a second sheet', async () => {
  const { answered, takeIn } = mailboxTools(site)
  const { reference: hers, answers } = await answered({ message: 'A new roof' })
  const receivedAt = '2026-03-02T15:00:30.000Z'
  await takeIn({ answers, text: 'When?\n\nAda', attachments: ['a.pdf (1 kB)', 'b.jpg'], receivedAt })
  const { version } = await leadTools(site).read(hers)
  const who = 'dana@agency.example'
  const at = '2026-03-05T19:00:00.000Z'
  const change = { reference: hers, who }
  await markSeen(site.inboxDeps, change)
  await noteLead(site.inboxDeps, { ...change, key: crypto.randomUUID(), text: 'Looks nice.' })
  await followUp(site.inboxDeps, { ...change, version, at, note: 'No answer.' })
  await markResult(site.inboxDeps, { ...change, version: version + 1, result: 'won' })

  const [names, ...rows] = readXlsx((await inbox.get('/export?format=xlsx')).body, 2)

  expect(names).toEqual([
    `Time (${hours.timeZone})`,
    ...['Reference', 'Name', 'Who', 'What', 'Words', 'Files'],
  ])
  const said = rows.filter(([, about]) => about === hers)
  const [request] = said
  expect(request?.slice(0, 3)).toEqual([officeTime('2026-03-02T15:00:00.000Z'), hers, 'Ada Lovelace'])
  // Read later, as after trouble with the mailbox.
  expect(said[2]?.[0]).toBe(officeTime(receivedAt))
  expect(said.map((row) => row.slice(3))).toEqual([
    ['Ada@Example.com', 'sent the request', 'A new roof', ''],
    [anna, 'answered', 'Yes, we can.', ''],
    ['ada@example.com', 'wrote again', 'When?\n\nAda', 'a.pdf (1 kB)\nb.jpg'],
    [who, 'wrote a note', 'Looks nice.', ''],
    [who, `set a follow-up for ${officeTime(at).slice(0, 16)}`, 'No answer.', ''],
    [who, 'marked it as won', '', ''],
  ])
})

test('if the database cannot be read, the owner gets an error response instead of a file', async () => {
  await site.db.schema.alterTable('leads').renameTo('gone').execute()

  const { status, headers } = await inbox.get('/export?format=xlsx')

  expect([status, headers['content-disposition']]).toEqual([500, undefined])
})
