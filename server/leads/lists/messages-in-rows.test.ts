import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, leadTools } from '../../proof/testing/leads.ts'
import { ada, mailboxTools } from '../../proof/testing/mailbox.ts'
import { outboxTools } from '../../proof/testing/outbox.ts'
import { markSeen } from '../change/change-lead.ts'
import { followUp, markLead, nothingToAnswer } from '../change/mark-lead.ts'
import { listLeads } from './lists.ts'
import { readLeadDetail } from './read-lead.ts'
import { searchLeads } from './search-leads.ts'

const site = useTestApp({ mailTo: [anna, bob], sendsReceipts: true })
const { submit, read } = leadTools(site)
const { answer } = answerTools(site)
const { takeIn, answered, deliver } = mailboxTools(site)
const { rows } = outboxTools(site)

const rowOf = async (reference: string) => {
  const { leads } = await listLeads(site.db, { view: 'all', after: undefined, now: site.clock.now })
  return leads.find((lead) => lead.reference === reference)
}
const detailOf = async (reference: string) => {
  const input = { reference, owner: anna, now: site.clock.now }
  const detail = await readLeadDetail(site.db, input)
  if (!detail) throw new Error('There is no such lead.')
  return detail
}
const see = (reference: string, upTo: number) => markSeen(site.inboxDeps, { reference, who: anna, upTo })
const newestEvent = async (reference: string) => (await detailOf(reference)).events.at(-1)?.id ?? 0

test('a message that comes between loading a page and marking it as seen stays unread', async () => {
  const { reference, answers } = await answered()
  expect(await rowOf(reference)).toMatchObject({ isUnread: true, unread: 0 })
  await takeIn({ answers, text: 'First.' })
  const loaded = await newestEvent(reference)
  await takeIn({ answers, text: 'Second.' })
  expect(await rowOf(reference)).toMatchObject({ isUnread: true, unread: 2 })

  await see(reference, loaded)

  expect(await rowOf(reference)).toMatchObject({ isUnread: true, unread: 1, words: 'Second.' })
  const { readUpTo, events } = await detailOf(reference)
  expect(readUpTo).toBe(loaded)
  const unread = events.filter(({ id, what }) => what === 'reply' && id > readUpTo)
  expect(unread).toMatchObject([{ text: 'Second.' }])
  await see(reference, await newestEvent(reference))
  expect(await rowOf(reference)).toMatchObject({ isUnread: false, unread: 0 })
  // Another owner has an older page open.
  await see(reference, loaded)
  expect(await rowOf(reference)).toMatchObject({ isUnread: false, unread: 0 })
})

test('a page can mark only what there is as seen, not what is still to come', async () => {
  const { reference, answers } = await answered()
  await see(reference, Number.MAX_SAFE_INTEGER)
  await takeIn({ answers })

  expect(await rowOf(reference)).toMatchObject({ isUnread: true, unread: 1 })
})

test.each<[string, (reference: string) => Promise<unknown>]>([
  ['in the inbox', (reference) => answer(reference, { key: crypto.randomUUID() })],
  [
    'from an email program',
    async (reference) => {
      const { answers } = await lastAnswered
      await takeIn({ from: anna, to: ada, answers, text: `About ${reference}: yes.` }, 'sent')
    },
  ],
  [
    'by saying that there is nothing to answer',
    async (reference) => {
      const { version } = await read(reference)
      await nothingToAnswer(site.inboxDeps, { reference, who: anna, version })
    },
  ],
])('a message that an owner has answered %s is not unread when the next one comes', async (_how, act) => {
  lastAnswered = answered()
  const { reference, answers } = await lastAnswered
  await takeIn({ answers, text: 'First.' })
  await act(reference)
  expect(await rowOf(reference)).toMatchObject({ unread: 0 })

  site.advanceClock(60_000)
  await takeIn({ answers, text: 'Second.' })

  expect(await rowOf(reference)).toMatchObject({ state: 'open', unread: 1, words: 'Second.' })
  const { readUpTo, events } = await detailOf(reference)
  const unread = events.filter(({ id, what }) => what === 'reply' && id > readUpTo)
  expect(unread).toMatchObject([{ text: 'Second.' }])
})
let lastAnswered: ReturnType<typeof answered>

test('a row has the newest words of a visitor, with the names of the files of that message', async () => {
  const { reference, answers } = await answered({ message: 'A new\nroof', company: 'Roofs' })
  expect(await rowOf(reference)).toMatchObject({ words: 'A new roof', files: [], company: 'Roofs' })

  const attachments = ['plan (2).pdf (1 kB)', 'façade.jpg (2.5 MB)']
  await takeIn({ answers, text: 'Here\nthey are.', attachments })
  expect(await rowOf(reference)).toMatchObject({
    words: 'Here they are.',
    files: ['plan (2).pdf', 'façade.jpg'],
  })
  await takeIn({ answers, headers: 'Auto-Submitted: auto-replied', text: 'I am away.' })
  await answer(reference, { key: crypto.randomUUID() })
  expect(await rowOf(reference)).toMatchObject({ words: 'Here they are.' })
  await takeIn({ answers, text: '', attachments: ['third.pdf (1 kB)'] })
  expect(await rowOf(reference)).toMatchObject({ words: '', files: ['third.pdf'] })
  await takeIn({ answers, text: 'Thanks.' })
  expect(await rowOf(reference)).toMatchObject({ words: 'Thanks.', files: [] })
})

test('a row has the beginning of the unread words before the newest, and the note of a follow-up', async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers, text: `We want to go ahead! ${'The plan it is. '.repeat(9)}` })
  await takeIn({ answers, text: 'Have a nice day!' })
  expect((await rowOf(reference))?.words).toMatch(/^We want to go ahead! .{20,39}… \/ Have a nice day!$/)
  const version = (await rowOf(reference))?.version ?? 0
  const at = new Date(site.clock.now.getTime() + 60_000).toISOString()
  await followUp(site.inboxDeps, { reference, version, who: anna, at, note: 'Call at 3.' })
  expect(await rowOf(reference)).toMatchObject({ note: 'Call at 3.' })
  await markSeen(site.inboxDeps, { reference, who: anna })
  expect(await rowOf(reference)).toMatchObject({ words: 'Have a nice day!' })
})

test("what another person wrote never stands beside a visitor's words", async () => {
  const { reference, answers } = await answered()
  const from = 'eve@other.example'
  await takeIn({ answers, text: 'We want to go ahead!' })
  await takeIn({ answers, from, text: 'Please wait.' })
  expect(await rowOf(reference)).toMatchObject({ unread: 2, words: `From ${from}: Please wait.` })
  await takeIn({ answers, text: 'Go ahead.' })
  expect(await rowOf(reference)).toMatchObject({ unread: 3, words: 'Go ahead.' })
})

test('a row has the newest note of a follow-up, but not while somebody waits who has written since', async () => {
  const { reference, answers } = await answered()
  const change = async () => ({ reference, who: anna, version: (await read(reference)).version })
  const at = new Date(site.clock.now.getTime() + 60_000).toISOString()
  await followUp(site.inboxDeps, { ...(await change()), at, note: 'Called, no answer.' })
  const call = { at: site.clock.now.toISOString(), by: 'phone', note: 'Call at 3.' } as const
  await markLead(site.inboxDeps, {
    ...(await change()),
    state: 'answered',
    answered: call,
  })
  await followUp(site.inboxDeps, { ...(await change()), at })
  expect(await rowOf(reference)).toMatchObject({
    note: expect.stringMatching(/^By phone, .*\. Call at 3\.$/),
  })

  await takeIn({ answers, text: 'Thanks!' })
  await followUp(site.inboxDeps, { ...(await change()), at })
  expect(await rowOf(reference)).toMatchObject({ note: null })
  await nothingToAnswer(site.inboxDeps, await change())
  expect(await rowOf(reference)).toMatchObject({ note: expect.stringMatching(/Call at 3\.$/) })
})

test.each(['\ud83d', '\0', '\\ud83d"', '\\'])('a message with %j cannot break the lists', async (part) => {
  const { reference, answers } = await answered()
  await takeIn({ answers, attachments: [`plan ${part} (1 kB)`] })

  expect((await rowOf(reference))?.files).toEqual([expect.stringMatching(/^plan ./)])
  expect((await searchLeads(site.db, { search: 'plan' })).leads).toMatchObject([{ reference }])
})

test('what somebody else wrote about a request is not shown as the words of its person', async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers, from: 'eve@evil.example', text: 'Please pay to this account.' })

  expect(await rowOf(reference)).toMatchObject({
    words: 'From eve@evil.example: Please pay to this account.',
  })
})

test('a row says whether there is an earlier request from its address, however that is spelled', async () => {
  const first = await submit({ email: 'bo@example.com' })
  site.advanceClock(1000)
  const second = await submit({ email: 'BO@Example.com' })
  const other = await submit({ email: 'bob@example.com' })

  const wroteBefore = async (reference: string) => (await rowOf(reference))?.wroteBefore
  expect(await Promise.all([first, second, other].map(wroteBefore))).toEqual([false, true, false])
})

test('each email about a lead names the message or the answer that it is about', async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers, text: 'First.' })
  await deliver()

  const { emails, events } = await detailOf(reference)

  const whatOf = (id: number | null) => events.find((event) => event.id === id)?.what ?? null
  expect(emails.map(({ kind, recipient, about }) => [kind, recipient, whatOf(about)])).toEqual([
    ['owner_notice', anna, null],
    ['owner_notice', bob, null],
    ['visitor_receipt', 'Ada@Example.com', null],
    ['answer', 'Ada@Example.com', 'answer'],
    ['answer_copy', anna, 'answer'],
    ['owner_notice', anna, 'reply'],
    ['owner_notice', bob, 'reply'],
  ])
  expect(await rows()).toHaveLength(emails.length)
})
