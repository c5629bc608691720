import { expect, test } from 'vitest'
import { UNREADABLE } from '../leads/messages/message-text.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, bob, leadTools } from '../proof/testing/leads.ts'
import { ada, type Fields, mailboxTools } from '../proof/testing/mailbox.ts'
import { MORE } from './lead-room.ts'

const site = useTestApp({ mailTo: [anna, bob], sendsReceipts: true })
const { submit, read, history } = leadTools(site)
const { answered, deliver, takeIn } = mailboxTools(site)
const DAY_MS = 24 * 60 * 60_000

const replies = () => site.db.selectFrom('lead_events').selectAll().where('what', '=', 'reply')
const newest = async (reference: string) => (await history(reference)).at(-1)?.text
const fill = async (times: number, fields: Fields) => {
  for (let count = 0; count < times; count++) await takeIn(fields)
}
/** Stores copies of the newest reply. */
async function copy(times: number, who = (_index: number) => ada) {
  const { id: _, ...reply } = await replies().orderBy('id', 'desc').executeTakeFirstOrThrow()
  const copies = Array.from({ length: times }, (_, index) => ({
    ...reply,
    key: `copy ${index}`,
    who: who(index),
  }))
  await site.db.insertInto('lead_events').values(copies).execute()
}
const look = () => site.db.updateTable('leads').set({ seen_at: 'x', awaits_list: 0 }).execute()

test("a lead keeps 200 messages of a day that name our Message-IDs, and 20 that don't, so nobody's are displaced", async () => {
  const { reference, answers } = await answered()
  // What an owner has sent does not count.
  await takeIn({ from: anna, to: ada, answers, text: 'Ask me.', id: '<own@agency.example>' }, 'sent')
  await fill(10, { subject: `Re: ${reference}`, text: 'Forged.', id: '<forged@example.com>' })
  await fill(25, { answers: '<forged@example.com>', text: 'Forged.' })
  await takeIn({ answers })
  await copy(195)
  await fill(6, { answers })
  const counts = Object.groupBy(await replies().execute(), ({ joined, text }) => `${joined} ${text}`)
  expect(Object.entries(counts).map(([what, events]) => [what, events?.length])).toEqual([
    ['reference Forged.', 1],
    ['theirs Forged.', 18],
    [`theirs ${MORE}`, 1],
    ['ours When can you start?', 199],
    [`ours ${MORE}`, 1],
  ])
  // An honest message behind a flood isn't stored, but doesn't go unnoticed.
  await look()
  await takeIn({ answers, headers: 'Auto-Submitted: auto-generated' })
  expect(await read(reference)).toMatchObject({ seen_at: 'x', awaits_list: 0 })
  await takeIn({ subject: reference })
  expect(await read(reference)).toMatchObject({ seen_at: null, awaits_list: 1 })
  await takeIn({ from: anna, to: ada, answers, text: 'Stop, please.' }, 'sent')
  expect((await history(reference)).at(-1)).toMatchObject({ what: 'answered_by_mail', text: 'Stop, please.' })
  site.advanceClock(DAY_MS)
  await takeIn({ answers, text: 'Next day.' })
  expect(await newest(reference)).toBe('Next day.')
})

test('behind a flood, an email of an owner answers what an owner has seen; the next message opens the lead again', async () => {
  const { reference, answers } = await answered()
  await fill(22, { text: 'Forged.' })
  const other = await submit({ email: 'ben@example.com' })
  await takeIn({ from: 'ben@example.com', subject: other })
  const answerByMail = () => takeIn({ from: anna, to: ada, answers }, 'sent')
  await answerByMail()
  expect(await read(reference)).toMatchObject({ state: 'open' })
  await look()
  await answerByMail()
  expect(await read(reference)).toMatchObject({ state: 'answered' })
  await deliver()

  await takeIn({ text: 'Really from Ada.' })
  await takeIn({ text: 'Once more.' })

  expect(await read(reference)).toMatchObject({ state: 'open', seen_at: null, awaits_list: 1 })
  expect((await history(reference)).slice(-2)).toMatchObject([
    { what: 'answered_by_mail' },
    { what: 'reply', text: MORE },
  ])
  expect((await deliver()).map(({ to }) => to)).toEqual([anna, bob])
})

test("other senders leave a quarter of a day, and of what a lead keeps, to the lead's own address", async () => {
  const { reference, answers } = await answered()
  const vera = { from: 'vera@example.com', answers }
  await takeIn({ ...vera, text: 'Hello.' })
  await copy(148, (index) => `${index % 3}@example.com`)

  await fill(2, { ...vera, text: 'And I.' })
  expect(await newest(reference)).toBe(MORE)
  expect(await replies().execute()).toHaveLength(150)
  // Anybody with that email can forge an owner's address.
  await takeIn({ from: anna, to: ada, answers, text: 'Forged.' })
  expect(await newest(reference)).toBe(MORE)
  await takeIn({ from: anna, to: ada, answers, text: 'Really from Anna.' }, 'sent')
  expect(await newest(reference)).toBe('Really from Anna.')
  await takeIn({ answers, text: 'From Ada herself.' })
  expect(await newest(reference)).toBe('From Ada herself.')

  await site.db.deleteFrom('lead_events').where('key', 'like', 'copy %').execute()
  const text = 'x'.repeat(1_500_000)
  await site.db.updateTable('lead_events').set({ text }).where('text', '=', 'Hello.').execute()
  await takeIn({ ...vera, text: 'Too long.' })
  expect(await newest(reference)).toBe(UNREADABLE)
  await takeIn({ answers, text: 'Still from Ada.' })
  expect(await newest(reference)).toBe('Still from Ada.')
})

test("a lead keeps 2,000,000 bytes, half of them of messages that don't name our Message-IDs; then, the thread points to the mailbox", async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers })
  const text = async (fields: Fields) => {
    await takeIn(fields)
    return newest(reference)
  }
  const grow = (length: number) =>
    site.db
      .updateTable('lead_events')
      .set({ text: '', received: JSON.stringify({ quotes: [{ at: 0, text: 'x'.repeat(length) }] }) })
      .where('what', '=', 'reply')
      .execute()
  await grow(1_000_000)
  expect(await text({ subject: reference })).toBe(UNREADABLE)
  expect(await text({ answers })).toBe('When can you start?')
  await grow(2_000_000)
  expect(await text({ answers, text: 'Cobblestones.\n\n> quoted' })).toBe(UNREADABLE)
  const { received } = await replies().orderBy('id', 'desc').executeTakeFirstOrThrow()
  expect(received).toContain('"quotes":[]')
  expect(JSON.stringify(await site.db.selectFrom('lead_texts').selectAll().execute())).not.toContain('cobble')
})
