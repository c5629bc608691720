import { beforeEach, expect, test } from 'vitest'
import { EVENT_CHARACTERS, EVENTS_AT_ONCE, type EventPage, lead as leadSchema } from '#shared/inbox/lead.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { storeLead } from '../../proof/testing/leads.ts'
import { type OwnerBrowser, signIn } from '../../proof/testing/owner-browser.ts'

const site = useTestApp()
const reference = 'Q-7K3M-9QXD'
let inbox: OwnerBrowser
beforeEach(async () => {
  inbox = await signIn(site)
})

type Fields = { who?: string; what?: 'reply' | 'automatic_reply' | 'note'; text?: string; quoted?: string }

/** Stores messages about a lead of ada@example.com, oldest first. */
async function storeMessages(messages: Fields[]) {
  const { id } = await storeLead(site.db, { reference, email: 'Ada@example.com' })
  const at = '2026-03-02T15:00:00.000Z'
  for (const { quoted, ...message } of messages) {
    const quotes = quoted ? [{ at: 0, text: quoted }] : []
    const received = JSON.stringify({ messageId: '<1@example.com>', quotes, attachments: [] })
    const usual = { lead_id: id, at, who: 'ada@example.com', what: 'reply', text: 'Hi', received } as const
    await site.db
      .insertInto('lead_events')
      .values({ ...usual, ...message })
      .execute()
  }
  return id
}

const readLead = async () => leadSchema.parse((await inbox.get(`/leads/${reference}`)).body)
const readBefore = async (before: unknown) => inbox.get(`/leads/${reference}/events?before=${before}`)
const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ text: `${index + 1}` }))
const endsOf = ({ events, hasEarlier }: EventPage) => [events.at(0)?.text, events.at(-1)?.text, hasEarlier]

test('a lead has the newest 50 events of its history, and says that there are more, which come in pages', async () => {
  await storeMessages(numbered(120))

  const lead = await readLead()
  expect(endsOf(lead)).toEqual(['71', '120', true])
  const { body: second } = await readBefore(lead.events[0]?.id)
  expect(endsOf(second)).toEqual(['21', '70', true])
  const { body: third } = await readBefore(second.events[0].id)
  expect(endsOf(third)).toEqual(['1', '20', false])
})

test('a history of exactly one page has nothing earlier, and neither has none', async () => {
  await storeMessages(numbered(EVENTS_AT_ONCE))
  expect(await readLead()).toMatchObject({ events: { length: EVENTS_AT_ONCE }, hasEarlier: false })
  await site.db.deleteFrom('lead_events').execute()
  expect(await readLead()).toMatchObject({ events: [], hasEarlier: false, lastReply: null })
})

test('200 messages of 37 kB are sent in pages of about 200 kB', async () => {
  await storeMessages(Array(200).fill({ text: 'w'.repeat(20_000), quoted: 'q'.repeat(17_000) }))

  const { text, body } = await inbox.get(`/leads/${reference}`)
  const page = await readBefore(body.events[0].id)

  expect([body.events.length, page.body.events.length]).toEqual([5, 5])
  for (const sent of [text, page.text]) expect(sent.length).toBeLessThan(EVENT_CHARACTERS + 50_000)
})

test('an event that is longer than a page is sent alone', async () => {
  await storeMessages([{}, { text: 'x'.repeat(EVENT_CHARACTERS + 1) }, {}])

  const lead = await readLead()
  expect(lead.events).toHaveLength(1)
  const { body } = await readBefore(lead.events[0]?.id)
  expect([body.events.length, body.hasEarlier]).toEqual([1, true])
})

test('the last reply and the other addresses are there, also if they are in an earlier part', async () => {
  await storeMessages([
    { who: '', text: 'From an unknown address' },
    { who: 'bo@work.example', text: 'From work' },
    ...Array(60).fill({ what: 'automatic_reply' }),
  ])

  expect(await readLead()).toMatchObject({
    lastReply: { who: 'bo@work.example', text: 'From work' },
    senders: [{ address: 'bo@work.example', event: expect.any(Number) }],
  })
})

test('of hundreds of emails about a lead, only the newest are sent, with their attempts', async () => {
  const id = await storeMessages([])
  const at = '2026-03-02T15:00:00.000Z'
  const email = { lead_id: id, kind: 'owner_notice', priority: 1, queued_at: at, due_at: at } as const
  const rows = Array.from({ length: 205 }, (_, index) => ({
    ...email,
    recipient: `${index}@agency.example`,
    message_id: `<${index}>`,
  }))
  const stored = await site.db.insertInto('outbox').values(rows).returning('id').execute()
  const attempts = stored.map((row) => ({ outbox_id: row.id, at, outcome: 'sent' as const, response: 'ok' }))
  await site.db.insertInto('outbox_attempts').values(attempts).execute()

  const { emails } = await readLead()
  expect(emails).toHaveLength(200)
  expect(emails.at(0)?.recipient).toBe('5@agency.example')
  expect(emails.at(-1)?.recipient).toBe('204@agency.example')
  expect(emails.every((sent) => sent.attempts.length === 1)).toBe(true)
})

test('a part before something else than an event, or of an unknown lead, is refused', async () => {
  await storeMessages([{}])

  for (const before of ['', 'x', '-1', '1.5']) expect((await readBefore(before)).status).toBe(400)
  expect((await inbox.get('/leads/Q-0000-0000/events?before=1')).status).toBe(404)
})
